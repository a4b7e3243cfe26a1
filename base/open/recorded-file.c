/* SPDX-License-Identifier: MIT */
/*
 * A path that an input names, opened without leaving this machine.
 *
 * Access to a file below an automount point (/net/HOST) asks the network for
 * it.  The path is therefore walked component by component with O_PATH, which
 * triggers no automount (on macOS with what comes near it); each folder and
 * link is examined before the next step. A step onto another device checks the
 * type of its file system.
 */
#define _GNU_SOURCE /* port.h: O_PATH */
#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/open/recorded-file.h"
#include "base/port.h"

/* As the kernel has it. */
#define MAX_LINKS 40

struct walk {
	int at;    /* the folder reached so far */
	dev_t dev; /* its device */
	char rest[PATH_MAX];
	unsigned links;
	bool last_linked; /* the last name was that of a link */
};

static bool
is_elsewhere(int fd)
{
	enum cp_port_place place = cp_port_place(fd);

	return place == CP_PORT_ELSEWHERE || place == CP_PORT_UNKNOWN;
}

/*
 * Is it /proc, /sys or /dev, where no object is?  "..", links and "/./" lead
 * there, too, so the folder is compared, not the path.
 */
static bool
is_kernels(const struct walk *w, const char *name)
{
	struct stat at, root;

	if (strcmp(name, "proc") != 0 && strcmp(name, "sys") != 0 &&
	    strcmp(name, "dev") != 0)
		return false;
	return fstat(w->at, &at) != 0 || stat("/", &root) != 0 ||
	       (at.st_dev == root.st_dev && at.st_ino == root.st_ino);
}

static atomic_bool ran_out;

int
cp_open_noted(int fd)
{
	if (fd < 0 && (errno == EMFILE || errno == ENFILE))
		atomic_store(&ran_out, true);
	return fd;
}

bool
cp_open_ran_out(void)
{
	return atomic_load(&ran_out);
}

/* Begins at the root, which is not checked, or in the current folder. */
static int
start(struct walk *w, const char *from)
{
	struct stat st;

	if (w->at >= 0)
		close(w->at);
	w->at =
	    cp_open_noted(open(from, CP_PORT_LOOK | O_DIRECTORY | O_CLOEXEC));
	if (w->at < 0 || fstat(w->at, &st) != 0)
		return -1;
	w->dev = st.st_dev;
	return 0;
}

/* Puts the target of a link before the rest of the path. */
static int
follow(struct walk *w, const char *link, const char *after)
{
	char text[PATH_MAX], rest[PATH_MAX];
	ssize_t n = readlinkat(w->at, link, text, sizeof(text) - 1);

	if (n <= 0 || ++w->links > MAX_LINKS) {
		errno = n <= 0 ? ENOENT : ELOOP;
		return -1;
	}
	text[n] = '\0';
	if (snprintf(rest, sizeof(rest), "%s/%s", text, after) >=
	    (int)sizeof(rest)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(w->rest, rest, sizeof(rest));
	return text[0] == '/' ? start(w, "/") : 0;
}

/* Copies the next name; returns the text after it. */
static const char *
next_name(struct walk *w, char name[256], bool *last)
{
	const char *from = w->rest + strspn(w->rest, "/");
	size_t n = strcspn(from, "/");
	const char *after = from + n + strspn(from + n, "/");

	*last = *after == '\0';
	n = n <= NAME_MAX ? n : 0; /* a longer name cannot exist */
	memcpy(name, from, n);
	name[n] = '\0';
	return after;
}

/*
 * Does one step.  1: more follow; 0: *file is the end of the path; -1: errno.
 */
static int
step(struct walk *w, char name[256], int *file)
{
	bool last;
	const char *after = next_name(w, name, &last);
	struct stat st;
	int fd;

	if (is_kernels(w, name)) {
		errno = ENOENT;
		return -1;
	}
	fd = cp_open_noted(openat(w->at, name, CP_PORT_LOOK_LINK | O_CLOEXEC));
	if (fd < 0 || fstat(fd, &st) != 0)
		return -1;
	if (st.st_dev != w->dev && is_elsewhere(fd)) {
		close(fd);
		errno = EREMOTE;
		return -1;
	}
	if (S_ISLNK(st.st_mode)) {
		w->last_linked |= last;
		close(fd);
		return follow(w, name, after) < 0 ? -1 : 1;
	}
	if (last) {
		*file = fd;
		return 0;
	}
	close(w->at);
	w->at = fd;
	w->dev = st.st_dev;
	memmove(w->rest, after, strlen(after) + 1);
	return 1;
}

int
cp_recorded_walk(const char *path, int *dir, char name[256], bool *linked)
{
	struct walk w = { .at = -1 };
	size_t n = strlen(path);
	int fd = -1, r = 1;

	if (n >= sizeof(w.rest)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(w.rest, path, n + 1);
	if (start(&w, path[0] == '/' ? "/" : ".") != 0)
		return -1;
	while (r == 1)
		r = step(&w, name, &fd);
	if (r < 0) {
		int error = errno;

		close(w.at);
		errno = error;
		return -1;
	}
	*dir = w.at;
	*linked = w.last_linked;
	return fd;
}
