/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/port.h"
#include "base/retry.h"
#include "base/temp-file.h"
#include "cli/output-file.h"
#include "cli/redact.h"

/* The pager, which waits for text; pid is 0 if there is none. */
static struct {
	pid_t pid;
	int fd;
} prepared;

static int
write_fd(void *ctx, const void *data, size_t n)
{
	const struct cp_output *o = ctx;

	return cp_write_all(o->fd, data, n) ? 0 : errno;
}

static int
failed(struct cp_cli *cli, const char *what, const char *why)
{
	cp_diag(&cli->diags, CP_D_OUTPUT, "%s: %s", what, why);
	return CP_FAIL;
}

/* Returns why nothing can be made in the folder of the path, or 0. */
static int
why_not_beside(const char *path)
{
	const char *end = path + strlen(path);
	char *dir;
	int error = 0;

	while (end > path && end[-1] == '/')
		end--;
	while (end > path && end[-1] != '/')
		end--;
	dir = end > path ? strndup(path, (size_t)(end - path)) : strdup(".");
	if (dir != NULL && access(dir, W_OK | X_OK) != 0)
		error = errno;
	free(dir);
	return error;
}

int
cp_output_check(struct cp_cli *cli, const char *path, bool folder)
{
	char *real = realpath(path, NULL);
	struct stat st;
	int error = 0;

	if (strcmp(path, "-") == 0)
		error = 0;
	else if (stat(path, &st) != 0)
		error = errno == ENOENT ? why_not_beside(path) : errno;
	else if (S_ISREG(st.st_mode))
		error = why_not_beside(real != NULL ? real : path);
	else if (S_ISDIR(st.st_mode) && !folder)
		error = EISDIR;
	else if (access(path, W_OK) != 0)
		error = errno;
	free(real);
	return error == 0 ? CP_OK : failed(cli, path, strerror(error));
}

static int
open_as_it_is(struct cp_output *o, struct cp_cli *cli)
{
	o->fd = open(o->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	return o->fd >= 0 ? CP_OK : failed(cli, o->path, strerror(errno));
}

/*
 * Returns the mode of the file that is replaced, or that of the umask.  Only
 * the owner may read the records of a capture, which perf, too, writes for him
 * alone: they hold memory of programs.
 */
static mode_t
mode_of(const char *target, const struct cp_cli *cli)
{
	mode_t mask = umask(077);
	struct stat st;

	umask(mask);
	if (!cli->private && stat(target, &st) == 0)
		return st.st_mode & 0777;
	return (cli->private ? 0600 : 0666) & ~mask;
}

static int
open_file(struct cp_output *o, struct cp_cli *cli)
{
	struct cp_output_file *f = cp_output_file(o->path);

	if (f->error != 0)
		return failed(cli, o->path, strerror(f->error));
	fchmod(f->fd, mode_of(f->target, cli));
	o->file = f;
	o->fd = f->fd;
	return CP_OK;
}

/* Waits until there is text, and then executes $PAGER. */
static CP_NORETURN void
become_pager(int text)
{
	const char *pager = getenv("PAGER");
	struct pollfd waiting = { .fd = text, .events = POLLIN };

	if (pager == NULL || pager[0] == '\0')
		pager = "less";
	if (poll(&waiting, 1, -1) < 1 || (waiting.revents & POLLIN) == 0)
		_exit(0);
	dup2(text, STDIN_FILENO);
	setenv("LESS", "FRSX", 0);
	execl("/bin/sh", "sh", "-c", pager, (char *)NULL);
	_exit(127);
}

void
cp_output_prepare(const struct cp_cli *cli, bool page)
{
	int ends[2];

	if (!page || cli->pager == CP_NEVER || !isatty(STDOUT_FILENO) ||
	    pipe(ends) != 0)
		return;
	cp_port_keep(ends);
	prepared.pid = fork();
	if (prepared.pid == 0) {
		close(ends[1]);
		become_pager(ends[0]);
	}
	close(ends[0]);
	prepared.fd = ends[1];
	if (prepared.pid < 0)
		close(ends[1]);
}

/* Hands the terminal to the pager. */
static void
open_pager(struct cp_output *o)
{
	if (prepared.pid <= 0)
		return;
	o->pager = prepared.pid;
	o->fd = prepared.fd;
	prepared.pid = 0;
	signal(SIGPIPE, SIG_IGN); /* the reader may leave early */
}

/*
 * Holds output back that does not go to a regular file, until all of it was
 * searched.
 */
static int
open_held(struct cp_output *o, struct cp_cli *cli)
{
	struct stat st;

	if (o->path != NULL && (stat(o->path, &st) != 0 || S_ISREG(st.st_mode)))
		return open_file(o, cli);
	o->held = true;
	o->fd = cp_temp_file();
	return o->fd >= 0 ? CP_OK : failed(cli, "a temporary file", "no room");
}

int
cp_output_open(struct cp_output *o, struct cp_cli *cli, bool page)
{
	struct stat st;

	*o = (struct cp_output){ .path = cli->output, .fd = STDOUT_FILENO };
	if (o->path != NULL && strcmp(o->path, "-") == 0)
		o->path = NULL;
	cp_out_init(&o->out, write_fd, o);
	if (cli->run.redact != NULL)
		return open_held(o, cli);
	if (o->path != NULL && stat(o->path, &st) == 0 && !S_ISREG(st.st_mode))
		return open_as_it_is(o, cli);
	if (o->path != NULL)
		return open_file(o, cli);
	o->terminal = isatty(STDOUT_FILENO);
	if (page && o->terminal)
		open_pager(o);
	return CP_OK;
}

static int
close_file(struct cp_output *o, struct cp_cli *cli, bool keep)
{
	int error;

	if (!keep) {
		cp_output_file_drop(o->file);
		return CP_OK;
	}
	error = cp_output_file_keep(o->file);
	return error == 0 ? CP_OK : failed(cli, o->path, strerror(error));
}

/* Passes on the copy after it was searched. */
static int
close_held(struct cp_output *o, struct cp_cli *cli)
{
	int from = o->fd, status = CP_OK;
	char some[1 << 14];
	off_t at = 0;
	ssize_t n = 0;

	o->fd = o->path == NULL
		    ? STDOUT_FILENO
		    : open(o->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	if (o->fd < 0)
		status = failed(cli, o->path, strerror(errno));
	while (
	    status == CP_OK && (n = pread(from, some, sizeof(some), at)) > 0) {
		if (write_fd(o, some, (size_t)n) != 0)
			status = failed(cli, "output", strerror(errno));
		at += n;
	}
	if (n < 0)
		status = failed(cli, "a temporary file", strerror(errno));
	close(from);
	if (o->path != NULL && o->fd >= 0 && close(o->fd) != 0 &&
	    status == CP_OK)
		status = failed(cli, o->path, strerror(errno));
	return status;
}

int
cp_output_close(struct cp_output *o, struct cp_cli *cli, bool keep)
{
	int status = cp_out_end(&o->out);
	bool written = status == CP_OK;

	if (cli->run.redact != NULL && written && keep)
		status = cp_cli_redact_search(cli, o->fd);
	keep = keep && status == CP_OK;
	if (o->held && keep)
		return close_held(o, cli);
	if (o->held) {
		if (!written)
			failed(cli, "a temporary file", strerror(errno));
		close(o->fd);
		return status;
	}

	if (o->file != NULL) {
		if (!written)
			failed(cli, o->path, strerror(errno));
		if (close_file(o, cli, keep) != CP_OK)
			status = CP_FAIL;
		return status;
	}
	if (o->pager != 0) {
		close(o->fd);
		waitpid(o->pager, NULL, 0);
		return CP_OK; /* quitting the pager early is no error */
	}
	if (o->path != NULL && close(o->fd) != 0)
		status = CP_FAIL;
	if (status != CP_OK)
		failed(cli, o->path != NULL ? o->path : "standard output",
		    strerror(errno));
	return status;
}
