/* SPDX-License-Identifier: MIT */
/*
 * walls: decides where a command may write, and whether it may use the network.
 */
#include "config.h" /* O_TMPFILE */

#include "cli/walls.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/disk-cache.h"
#include "base/sandbox/sandbox.h"
#include "symbolize/debuginfod/cache.h"

/* Malloc'ed paths; an entry is NULL where the path does not exist. */
typedef CP_VEC(char *) paths;

/* Adds the folder that holds the file. */
static void
add_parent(paths *to, const char *path)
{
	const char *slash = strrchr(path, '/');

	*cp_vec_push(to) = slash == NULL
			       ? strdup(".")
			       : strndup(path, (size_t)(slash - path) + 1);
}

/*
 * Adds the place of an output.  For a file that is its folder, into which it is
 * renamed; a device, a pipe or a folder to unpack into is added itself.
 */
static void
add_output(paths *to, const char *path)
{
	char *real = realpath(path, NULL);
	struct stat st;

	if (real != NULL && stat(real, &st) == 0 && !S_ISREG(st.st_mode)) {
		*cp_vec_push(to) = real;
		return;
	}
	add_parent(to, real != NULL ? real : path);
	free(real);
}

bool
cp_cli_writes_there(const struct cp_cli *cli)
{
	static const char *const names[] = { "pack", "unpack", "snapshot" };

	for (size_t i = 0; i < CP_ARRAY_LEN(names); i++)
		if (strcmp(cli->command, names[i]) == 0)
			return cli->outputs.len == 0;
	return false;
}

static void
add_outputs(paths *to, const struct cp_cli *cli)
{
	for (size_t i = 0; i < cli->outputs.len; i++)
		add_output(to, cli->outputs.data[i]);
	if (cp_cli_writes_there(cli))
		add_parent(to, cli->captures.data[0]);
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
 * it was made here and nothing is cached, cp_cli_walls_end() removes it; then
 * returns its parent, malloc'ed, else NULL.
 */
static char *
add_cache(struct cp_cli *cli, paths *to)
{
	char *path = cp_cachefile_in("");
	size_t n = path != NULL ? strlen(path) : 0;
	bool made = n != 0 && access(path, F_OK) != 0;

	add_made(to, path);
	if (!made || access(path, F_OK) != 0)
		return NULL;
	cli->made_cache = strndup(path, n - 1);
	return strndup(path, n - strlen("coldperf/"));
}

void
cp_cli_walls_end(struct cp_cli *cli)
{
	/* A folder with something in it stays. */
	if (cli->made_cache != NULL)
		(void)rmdir(cli->made_cache);
	free(cli->made_cache);
	cli->made_cache = NULL;
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
		fd =
		    open(dir[i], O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
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

int
cp_cli_walls(struct cp_cli *cli)
{
	struct cp_sandbox s = { .network = wants_network(cli),
		.processes = wants_processes(cli) };
	paths writable = { 0 };
	char *parent = NULL;
	unsigned walls;

	if (!are_wanted(cli))
		return CP_OK;
	add_outputs(&writable, cli);
	add_temporary(&writable);
	if (!cli->run.no_cache)
		parent = add_cache(cli, &writable);
	if (s.network)
		add_made(&writable, dbgcache());
	s.writable = (const char *const *)writable.data;
	s.n = writable.len;
	s.tidied = parent;
	walls = cp_sandbox_enter(&s);
	free(parent);
	for (size_t i = 0; i < writable.len; i++)
		free(writable.data[i]);
	cp_vec_free(&writable);
	if (walls == CP_WALLS || cli->sandbox != CP_SANDBOX_REQUIRE)
		return CP_OK;
	cp_diag(&cli->diags, CP_D_SANDBOX, "%s",
	    (walls & CP_WALL_FILES) == 0 ? "no Landlock" : "no seccomp filter");
	return CP_FAIL;
}
