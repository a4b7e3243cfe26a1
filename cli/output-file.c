/* SPDX-License-Identifier: MIT */
/*
 * output-file: opens files early, gives them names late.
 *
 * The process outside the walls has the list of files as it was when they were
 * opened.  It is told the number of a file, settles it and answers with an
 * error or 0.  When the run is over, however it ended, it removes temporary
 * names and folders that stayed empty.
 */
#include "config.h" /* mkostemp */

#include "cli/output-file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/port.h"
#include "base/vec.h"

#define OVER UINT32_MAX /* instead of the number of a file */

/* All files, the last one first; handlers of signals read the list. */
static struct cp_output_file *volatile files;
static CP_VEC(char *) folders;
static struct {
	volatile pid_t pid; /* 0: there is none */
	int socket;
} outside;

/*
 * Opens a file without a name in the folder of the target, so that it vanishes
 * however the process ends.  -1: the file system does not support such files.
 */
static int
open_nameless(const char *target)
{
	const char *slash = strrchr(target, '/');
	char *dir = slash != NULL
			? strndup(target, (size_t)(slash - target) + 1)
			: strdup(".");
	int fd = dir != NULL ? cp_port_nameless(dir, true) : -1;

	free(dir);
	return fd;
}

static int
open_file(struct cp_output_file *f)
{
	struct stat st;
	size_t n;

	/* The kernel may not let us follow a link: realpath() would. */
	if (stat(f->path, &st) != 0 && errno != ENOENT)
		return errno;
	f->target = realpath(f->path, NULL);
	if (f->target == NULL) /* a new file, or a dangling link */
		f->target = strdup(f->path);
	if (f->target == NULL)
		return errno;
	n = strlen(f->target) + sizeof(".XXXXXX");
	f->temporary = cp_xmalloc(n);
	snprintf(f->temporary, n, "%s.XXXXXX", f->target);
	f->fd = open_nameless(f->target);
	if (f->fd >= 0)
		return 0;
	f->fd = mkostemp(f->temporary, O_CLOEXEC); /* 0600 */
	f->named = f->fd >= 0;
	return f->named ? 0 : errno;
}

static void
on_signal(int sig)
{
	cp_output_files_abandon();
	signal(sig, SIG_DFL);
	raise(sig);
}

static char *
copy(const char *path)
{
	size_t n = strlen(path) + 1;

	return memcpy(cp_xmalloc(n), path, n);
}

static struct cp_output_file *
add(const char *path)
{
	struct cp_output_file *f = cp_xcalloc(1, sizeof(*f));

	f->path = copy(path);
	f->fd = -1;
	f->next = files;
	files = f;
	f->error = open_file(f);
	signal(SIGINT, on_signal);
	signal(SIGTERM, on_signal);
	signal(SIGHUP, on_signal);
	return f;
}

void
cp_output_file_early(const char *path)
{
	(void)add(path);
}

void
cp_output_folder_early(const char *path)
{
	*cp_vec_push(&folders) = copy(path);
}

struct cp_output_file *
cp_output_file(const char *path)
{
	struct cp_output_file *f = files;

	while (f != NULL &&
	       ((f->fd < 0 && f->error == 0) || strcmp(f->path, path) != 0))
		f = f->next;
	return f != NULL ? f : add(path);
}

static bool
name_it(const struct cp_output_file *f, const char *name)
{
	char from[40];

	snprintf(from, sizeof(from), "/proc/self/fd/%d", f->fd);
	return linkat(AT_FDCWD, from, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
}

/* Gives the file a temporary name, from which it is renamed. */
static bool
name_for_now(struct cp_output_file *f)
{
	size_t n = strlen(f->temporary) - 6;

	for (unsigned i = 0; i < 1000; i++) {
		snprintf(f->temporary + n, 7, "%06u",
		    ((unsigned)getpid() + i) % 1000000);
		if (name_it(f, f->temporary)) {
			f->named = true;
			return true;
		}
		if (errno != EEXIST)
			break;
	}
	return false;
}

/*
 * Gives the file its name, after the data were written to disk.  If another
 * file is replaced, the file has a temporary name for a moment.
 */
static int
settle(struct cp_output_file *f)
{
	if (fsync(f->fd) != 0 && errno != EINVAL && errno != EROFS)
		return errno;
	if (!f->named && name_it(f, f->target))
		return 0;
	if (!f->named && (errno != EEXIST || !name_for_now(f)))
		return errno;
	if (rename(f->temporary, f->target) != 0)
		return errno;
	f->named = false;
	return 0;
}

void
cp_output_file_drop(struct cp_output_file *f)
{
	/* Another attempt to write it cannot open it again. */
	if (f->apart && f->fd >= 0 && ftruncate(f->fd, 0) == 0 &&
	    lseek(f->fd, 0, SEEK_SET) == 0)
		return;
	if (f->named && !f->apart)
		unlink(f->temporary);
	f->named = false;
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
}

/* ------------------------------------------------------- outside the walls */

static uint32_t
number_of(const struct cp_output_file *f)
{
	uint32_t n = 0;

	while ((f = f->next) != NULL)
		n++;
	return n;
}

/*
 * Removes temporary names, and folders that stayed empty.  within: the names of
 * files that the process outside does not have.
 */
static void
tidy(bool within)
{
	for (struct cp_output_file *f = files; f != NULL; f = f->next)
		if (f->named && !(within && f->apart))
			unlink(f->temporary);
	for (size_t i = 0; i < folders.len; i++)
		(void)rmdir(folders.data[i]); /* fails if something is in it */
}

static CP_NORETURN void
serve(int socket)
{
	uint32_t n;

	/* The terminal sends them to all processes of the run. */
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	while (recv(socket, &n, sizeof(n), 0) == sizeof(n) && n != OVER) {
		struct cp_output_file *f = files;
		int32_t error = EINVAL;

		while (f != NULL && number_of(f) != n)
			f = f->next;
		if (f != NULL && f->fd >= 0)
			error = settle(f);
		if (send(socket, &error, sizeof(error), MSG_NOSIGNAL) < 0)
			break;
	}
	tidy(false);
	_exit(0);
}

int
cp_output_files_apart(void)
{
	int ends[2];

	if (files == NULL && folders.len == 0)
		return 0;
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
		return errno;
	cp_port_keep(ends);
	outside.pid = fork();
	if (outside.pid < 0) {
		outside.pid = 0;
		return errno;
	}
	if (outside.pid == 0) {
		close(ends[1]);
		serve(ends[0]);
	}
	close(ends[0]);
	outside.socket = ends[1];
	for (struct cp_output_file *f = files; f != NULL; f = f->next)
		f->apart = true;
	return 0;
}

static int
ask(const struct cp_output_file *f)
{
	uint32_t n = number_of(f);
	int32_t error = EIO;
	ssize_t got;

	if (send(outside.socket, &n, sizeof(n), MSG_NOSIGNAL) < 0)
		return errno;
	do
		got = recv(outside.socket, &error, sizeof(error), 0);
	while (got < 0 && errno == EINTR);
	return got == sizeof(error) ? error : EIO;
}

int
cp_output_file_keep(struct cp_output_file *f)
{
	int error = f->apart ? ask(f) : settle(f);

	if (error == 0)
		f->named = false;
	if (close(f->fd) != 0 && error == 0)
		error = errno;
	f->fd = -1;
	cp_output_file_drop(f);
	return error;
}

void
cp_output_files_abandon(void)
{
	const uint32_t over = OVER;
	pid_t pid = outside.pid;

	tidy(true);
	outside.pid = 0;
	if (pid == 0)
		return;
	(void)send(outside.socket, &over, sizeof(over), MSG_NOSIGNAL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

void
cp_output_files_end(void)
{
	struct cp_output_file *f = files, *next;

	cp_output_files_abandon();
	files = NULL;
	for (; f != NULL; f = next) {
		next = f->next;
		if (f->fd >= 0)
			close(f->fd);
		free(f->path);
		free(f->target);
		free(f->temporary);
		free(f);
	}
	for (size_t i = 0; i < folders.len; i++)
		free(folders.data[i]);
	cp_vec_free(&folders);
}
