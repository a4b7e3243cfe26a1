/* SPDX-License-Identifier: MIT */
/*
 * walls: decides where a command may write, and whether it may use the network.
 */
#include "cli/cli.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/disk-cache.h"
#include "base/port.h"
#include "base/sandbox/sandbox.h"
#include "cli/output-file.h"
#include "cli/output.h"
#include "symbolize/debuginfod/cache.h"

/* Malloc'ed paths; an entry is NULL where the path does not exist. */
typedef CP_VEC(char *) paths;

/*
 * Opens the outputs that are files, see output-file.h; a device and a pipe are
 * added themselves, and so is a folder to unpack into, which is made.
 */
static void
add_outputs(paths *to, const struct cp_cli *cli)
{
	bool folder = strcmp(cli->command, "unpack") == 0;

	for (size_t i = 0; i < cli->outputs.len; i++) {
		const char *path = cli->outputs.data[i];
		struct stat st;

		if (strcmp(path, "-") == 0)
			continue;
		if (folder && mkdir(path, 0777) == 0)
			cp_output_folder_early(path);
		if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
			*cp_vec_push(to) = realpath(path, NULL);
		else
			cp_output_file_early(path);
	}
}

/* Adds a folder and makes it: later its parents cannot be written to. */
static void
add_made(paths *to, char *path)
{
	if (path != NULL)
		cp_cachefile_folders(path);
	*cp_vec_push(to) = path;
}

/*
 * Adds the cache's folder, which must exist before rights are taken away.  If
 * it was made here and nothing is cached, it goes.
 */
static void
add_cache(paths *to)
{
	char *path = cp_cachefile_in("");
	bool made = path != NULL && access(path, F_OK) != 0;

	add_made(to, path);
	if (made && access(path, F_OK) == 0)
		cp_output_folder_early(path);
}

static char *
dbgcache(void)
{
	char *root = cp_dbgcache_root();
	struct cp_buf b;

	cp_buf_init(&b, 8192);
	if (root != NULL)
		cp_buf_printf(&b, "%s/", root);
	free(root);
	return b.data;
}

/*
 * Adds the folders that temp-file.c tries for temporary files, up to the first
 * that supports files without a name.
 */
static void
add_temporary(paths *to)
{
	const char *dir[] = { getenv("TMPDIR"), "/var/tmp", "/tmp" };

	int fd = -1;

	for (size_t i = 0; i < CP_ARRAY_LEN(dir) && fd < 0; i++) {
		if (dir[i] == NULL || dir[i][0] != '/')
			continue;
		*cp_vec_push(to) = strdup(dir[i]);
		fd = cp_port_nameless(dir[i], false);
	}
	if (fd >= 0)
		close(fd);
}

static bool
wants_network(const struct cp_cli *cli)
{
	return cli->fetch.wanted || cli->run.debuginfod == CP_DEBUGINFOD_ON;
}

/* pack looks for perf maps in the roots of running processes. */
static bool
wants_processes(const struct cp_cli *cli)
{
	return strcmp(cli->command, "pack") == 0 && cli->run.recorded_paths &&
	       cli->sandbox != CP_SANDBOX_REQUIRE;
}

static bool
are_wanted(const struct cp_cli *cli)
{
	/* A plug-in is the user's own code and may do what the user may. */
	return cli->sandbox == CP_SANDBOX_REQUIRE ||
	       (cli->sandbox == CP_SANDBOX_ON && cli->loaded.len == 0);
}

/* Adds all places; a process that stays outside gets what it needs. */
static int
prepare(struct cp_cli *cli, paths *writable)
{
	int error;

	if (!cli->run.no_cache)
		add_cache(writable);
	if (wants_network(cli))
		add_made(writable, dbgcache());
	add_temporary(writable);
	error = cp_output_files_apart();
	if (error != 0)
		cp_diag(&cli->diags, CP_D_OUTPUT,
		    "no process for the outputs: %s", strerror(error));
	return error == 0 ? CP_OK : CP_FAIL;
}

int
cp_cli_walls(struct cp_cli *cli, bool page)
{
	paths writable = { 0 };
	bool wanted = are_wanted(cli);
	int status = CP_OK;

	add_outputs(&writable, cli);
	if (wanted)
		status = prepare(cli, &writable);
	cp_output_prepare(cli, page);
	if (wanted && status == CP_OK) {
		struct cp_sandbox s = { .network = wants_network(cli),
			.terminal = strcmp(cli->command, "browse") == 0,
			.processes = wants_processes(cli),
			.writable = (const char *const *)writable.data,
			.n = writable.len };
		unsigned walls = cp_sandbox_enter(&s);

		if (walls != CP_WALLS && cli->sandbox == CP_SANDBOX_REQUIRE) {
			cp_diag(&cli->diags, CP_D_SANDBOX, "%s",
			    (walls & CP_WALL_FILES) == 0 ? "no Landlock"
							 : "no seccomp filter");
			status = CP_FAIL;
		}
	}
	for (size_t i = 0; i < writable.len; i++)
		free(writable.data[i]);
	cp_vec_free(&writable);
	return status;
}
