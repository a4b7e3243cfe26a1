/* SPDX-License-Identifier: MIT */
/*
 * plugin: analyses from outside.
 *
 * A plug-in is a shared object that defines cp_plugin, a struct cp_analysis.
 * It is code that runs with all rights of the user, so it is loaded only on
 * request: --plugin FILE loads that file, $COLDPERF_PLUGIN_PATH every *.so in
 * its folders.  The folders are opened only if the command is not built in, and
 * only if nobody but the user and root can change their files; see
 * docs/ADDING-AN-ANALYSIS.md.
 */
#include "cli/plugin.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyses/list.h"
#include "base/library.h"
#include "base/port.h"
#include "cli/commands.h"

const struct cp_analysis *
cp_cli_analysis(const struct cp_cli *cli, const char *name)
{
	for (size_t i = 0; i < cli->loaded.len; i++)
		if (strcmp(cli->loaded.data[i].analysis->name, name) == 0)
			return cli->loaded.data[i].analysis;
	return cp_analysis_find(name);
}

/* ----------------------------------------------------- what is in the file */

/* Names of commands and options: [a-z][a-z0-9-]*, of sensible length. */
static bool
is_word(const char *s)
{
	size_t n = s != NULL ? strnlen(s, 33) : 0;

	return n > 0 && n < 33 && s[0] >= 'a' && s[0] <= 'z' &&
	       strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == n;
}

static const char *
wrong_option(const struct cp_option *o)
{
	for (; o != NULL && o->name != NULL; o++) {
		if (!is_word(o->name) || o->help == NULL)
			return "an option has no proper name or no help";
		if (cp_common_option_find(
			cp_common_options, 0, o->name, strlen(o->name)) != NULL)
			return "an option of it is one that all commands "
			       "have";
	}
	return NULL;
}

/* Returns why the analysis cannot be used; NULL: it can. */
static const char *
wrong_with(const struct cp_cli *cli, const struct cp_analysis *a)
{
	if (!is_word(a->name))
		return "its name is no word of a-z, 0-9 and -";
	if (a->summary == NULL)
		return "it has no summary";
	if (cp_command_find(a->name) != NULL ||
	    cp_analysis_find(a->name) != NULL)
		return "coldperf has a command of that name";
	if (cp_cli_analysis(cli, a->name) != NULL)
		return "another plug-in has that name";
	if ((a->wants & ~(uint32_t)CP_WANT_BITS) != 0)
		return "it wants what this coldperf does not have";
	return wrong_option(a->options);
}

static bool
refuse(
    struct cp_cli *cli, enum cp_diag_id id, const char *path, const char *why)
{
	cp_diag(&cli->diags, id, "%s: %s", path, why);
	return false;
}

/* dlopen() would search library folders for a name without a slash. */
static void *
open_object(const char *path)
{
	char here[4096];

	if (strchr(path, '/') == NULL) {
		snprintf(here, sizeof(here), "./%s", path);
		path = here;
	}
	return cp_library_open(path);
}

/* Skips the path in the loader's message: ours has it already. */
static const char *
loader_says(const char *path)
{
#ifdef CP_STATIC
	const char *why = CP_LIBRARY_MISSING("plug-ins");
#else
	const char *why = dlerror();
#endif
	size_t n = strlen(path);

	if (why == NULL)
		return "it cannot be loaded";
	if (strncmp(why, "./", 2) == 0 && strncmp(why + 2, path, n) == 0)
		why += 2;
	if (strncmp(why, path, n) == 0 && strncmp(why + n, ": ", 2) == 0)
		why += n + 2;
	return why;
}

/* A plug-in stays loaded: the run has pointers into it. */
static bool
load(struct cp_cli *cli, enum cp_diag_id id, const char *path)
{
	const struct cp_analysis *a;
	const char *why;
	struct stat st;
	char text[96];
	void *handle;

	if (stat(path, &st) != 0)
		return refuse(cli, id, path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return refuse(cli, id, path, "it is no regular file");
	handle = open_object(path);
	if (handle == NULL)
		return refuse(cli, id, path, loader_says(path));
	a = dlsym(handle, "cp_plugin");
	if (a == NULL)
		return refuse(cli, id, path,
		    "it defines no cp_plugin: CP_ANALYSIS_DEFINE() does");
	if (a->abi != CP_ABI) {
		snprintf(text, sizeof(text),
		    "it was built for ABI %" PRIu32 ", this is %d: build it "
		    "anew",
		    a->abi, CP_ABI);
		return refuse(cli, id, path, text);
	}
	why = wrong_with(cli, a);
	if (why != NULL)
		return refuse(cli, id, path, why);
	*cp_vec_push(&cli->loaded) = (struct cp_plugin){ a,
		cp_arena_strndup(&cli->arena, path, strlen(path)) };
	return true;
}

/* -------------------------------------------------------------- the words */

/* Removes --plugin FILE and --plugin=FILE from argv and loads them. */
static int
take_words(struct cp_cli *cli, int *argc, char **argv)
{
	int to = 1;

	for (int i = 1; i < *argc; i++) {
		if (strcmp(argv[i], "--") == 0) {
			while (i < *argc)
				argv[to++] = argv[i++];
		} else if (strncmp(argv[i], "--plugin=", 9) == 0) {
			*cp_vec_push(&cli->plugins) = argv[i] + 9;
		} else if (strcmp(argv[i], "--plugin") != 0) {
			argv[to++] = argv[i];
		} else if (i + 1 < *argc) {
			*cp_vec_push(&cli->plugins) = argv[++i];
		} else {
			cp_diag(
			    &cli->diags, CP_D_USAGE, "--plugin wants a file");
			return CP_FAIL;
		}
	}
	*argc = to;
	argv[to] = NULL;
	return CP_OK;
}

int
cp_plugins_given(struct cp_cli *cli, int *argc, char **argv)
{
	if (take_words(cli, argc, argv) != CP_OK)
		return CP_FAIL;
	for (size_t i = 0; i < cli->plugins.len; i++)
		if (!load(cli, CP_D_PLUGIN, cli->plugins.data[i]))
			return CP_FAIL;
	return CP_OK;
}

/* ------------------------------------------------------------ the folders */

/*
 * True if another user could change it.  A sticky folder above is safe: its
 * entries belong to whoever made them.
 */
static bool
open_to_others(const struct stat *st, bool above)
{
	if (st->st_uid != 0 && st->st_uid != geteuid())
		return true;
	if ((st->st_mode & (S_IWGRP | S_IWOTH)) == 0)
		return false;
	return !above || (st->st_mode & S_ISVTX) == 0;
}

/* Checks the folder and all above it; path is absolute and without links. */
static bool
folder_is_safe(const char *path)
{
	char at[4096];
	struct stat st;
	bool above = false;
	size_t n = strlen(path);

	if (n >= sizeof(at))
		return false;
	memcpy(at, path, n + 1);
	for (;;) {
		char *slash = strrchr(at, '/');

		if (stat(at, &st) != 0 || open_to_others(&st, above))
			return false;
		if (slash == NULL || strcmp(at, "/") == 0)
			return slash != NULL;
		slash[slash == at] = '\0';
		above = true;
	}
}

static int
is_object(const struct dirent *d)
{
	size_t n = strlen(d->d_name);

	return d->d_name[0] != '.' && n > 3 &&
	       strcmp(d->d_name + n - 3, ".so") == 0;
}

/* Orders by bytes, independent of the locale. */
static int
by_bytes(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static void
load_found(struct cp_cli *cli, const char *folder, const char *name)
{
	char path[4096 + 256 + 2];
	struct stat st;

	snprintf(path, sizeof(path), "%.4096s/%.256s", folder, name);
	if (lstat(path, &st) == 0 && S_ISLNK(st.st_mode))
		refuse(cli, CP_D_PLUGIN_SKIPPED, path,
		    "it is a link: name what it leads to with --plugin");
	else if (stat(path, &st) == 0 && open_to_others(&st, false))
		refuse(cli, CP_D_PLUGIN_SKIPPED, path,
		    "others than you and root may change it");
	else
		(void)load(cli, CP_D_PLUGIN_SKIPPED, path);
}

static void
load_folder(struct cp_cli *cli, const char *folder)
{
	CP_CLEANUP(cp_cleanup_free)
	char *real = folder[0] == '/' ? realpath(folder, NULL) : NULL;
	struct dirent **names = NULL;
	int n;

	if (real == NULL) {
		refuse(cli, CP_D_PLUGIN_SKIPPED, folder,
		    folder[0] == '/' ? strerror(errno)
				     : "folders are given from the root");
		return;
	}
	if (!folder_is_safe(real)) {
		refuse(cli, CP_D_PLUGIN_SKIPPED, folder,
		    "others than you and root may change the folder, or one "
		    "above it");
		return;
	}
	n = scandir(real, &names, is_object, by_bytes);
	if (n < 0)
		refuse(cli, CP_D_PLUGIN_SKIPPED, folder, strerror(errno));
	for (int i = 0; i < n; i++) {
		load_found(cli, real, names[i]->d_name);
		free(names[i]);
	}
	free(names);
}

void
cp_plugins_find(struct cp_cli *cli)
{
	const char *at = cp_port_getenv("COLDPERF_PLUGIN_PATH");
	char folder[4096];

	if (at == NULL || cli->plugins_found)
		return;
	cli->plugins_found = true;
	for (;; at++) {
		size_t n = strcspn(at, ":");

		if (n >= sizeof(folder)) {
			refuse(cli, CP_D_PLUGIN_SKIPPED, "a folder",
			    strerror(ENAMETOOLONG));
		} else if (n != 0) {
			memcpy(folder, at, n);
			folder[n] = '\0';
			load_folder(cli, folder);
		}
		at += n;
		if (*at == '\0')
			return;
	}
}
