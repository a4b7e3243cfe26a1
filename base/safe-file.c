/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* port.h: O_PATH; madvise */
#include "base/safe-file.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/open/file-map.h"
#include "base/mem.h"
#include "base/open/recorded-file.h"
#include "base/port.h"
#include "base/retry.h"

#define READ_FLAGS (O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)

static bool
is_plain_file(int fd)
{
	struct stat st;
	enum cp_port_place place;

	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	place = cp_port_place(fd);
	return place != CP_PORT_KERNEL && place != CP_PORT_UNKNOWN;
}

/*
 * Checks that the path that was examined (CP_PORT_LOOK) and the file opened for
 * reading are the same regular file.  Returns fd or -1, and closes the rest.
 */
static int
same_file(int seen, int fd)
{
	struct stat a, b;
	bool same = fd >= 0 && is_plain_file(fd) && fstat(seen, &a) == 0 &&
		    fstat(fd, &b) == 0 && a.st_dev == b.st_dev &&
		    a.st_ino == b.st_ino;

	close(seen);
	if (fd >= 0 && !same) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* -1 with that errno. */
static int
fail(int error)
{
	errno = error;
	return -1;
}

static bool
has_prefix(const char *path, const char *dir)
{
	size_t n = strlen(dir);

	return strncmp(path, dir, n) == 0 &&
	       (path[n] == '/' || path[n] == '\0');
}

/* Is it a path of /proc, /sys or /dev, where no object is? */
static bool
is_kernels(const char *path)
{
	while (path[0] == '/' && path[1] == '/')
		path++;
	return has_prefix(path, "/proc") || has_prefix(path, "/sys") ||
	       has_prefix(path, "/dev");
}

/* Opens the examined path for reading, if it is a regular file. */
static int
open_seen(int seen, int dir, const char *name, int flags)
{
	int fd;

	if (!is_plain_file(seen)) {
		close(seen);
		return fail(ENOENT);
	}
	fd = cp_open_noted(openat(dir, name, READ_FLAGS | flags));
	if (fd < 0) {
		int error = errno;

		close(seen);
		return fail(error);
	}
	fd = same_file(seen, fd);
	return fd >= 0 ? fd : fail(ENOENT);
}

int
cp_objfile_open(const char *path)
{
	int seen;

	if (is_kernels(path))
		return fail(ENOENT);
	seen = cp_open_noted(open(path, CP_PORT_LOOK | O_CLOEXEC));
	return seen >= 0 ? open_seen(seen, AT_FDCWD, path, 0) : -1;
}

bool
cp_objfile_ran_out(void)
{
	return cp_open_ran_out();
}

bool
cp_objfile_was_refused(int error)
{
	return error != ENOENT && error != ENOTDIR && error != ENAMETOOLONG;
}

/*
 * Can others write by group rights?  A group with the user's own number is
 * private.
 */
static bool
is_group_writable(const struct stat *st)
{
	return (st->st_mode & S_IWGRP) != 0 &&
	       (st->st_gid != getegid() || getegid() != geteuid());
}

/* Can nobody but the user and root write to the file? */
static bool
is_trusted(const struct stat *st)
{
	return (st->st_uid == 0 || st->st_uid == geteuid()) &&
	       (st->st_mode & S_IWOTH) == 0 && !is_group_writable(st);
}

static bool
is_own(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && is_trusted(&st) && st.st_nlink == 1;
}

static int
open_walked(const char *path, bool own)
{
	int dir, seen, fd, error;
	char name[256];
	bool linked;

	seen = cp_recorded_walk(path, &dir, name, &linked);
	if (seen < 0)
		return -1;
	if (own && (linked || !is_own(seen))) {
		close(seen);
		close(dir);
		return fail(linked ? ELOOP : EPERM);
	}
	fd = open_seen(seen, dir, name, O_NOFOLLOW);
	error = errno;
	close(dir);
	errno = error;
	return fd;
}

int
cp_objfile_open_recorded(const char *path)
{
	return open_walked(path, false);
}

int
cp_objfile_open_own(const char *path)
{
	return open_walked(path, true);
}

static int
open_inside(int dir, const char *path, int flags)
{
	return cp_open_noted(cp_port_open_inside(dir, path, flags));
}

int
cp_objfile_open_under(const char *root, const char *path)
{
	int dir = cp_open_noted(
		open(root, CP_PORT_LOOK | O_DIRECTORY | O_CLOEXEC)),
	    seen, fd = -1;

	if (dir < 0)
		return -1;
	seen = open_inside(dir, path, CP_PORT_LOOK | O_CLOEXEC);
	if (seen >= 0)
		fd = same_file(seen, is_plain_file(seen)
					 ? open_inside(dir, path, READ_FLAGS)
					 : -1);
	close(dir);
	return fd;
}

struct cp_origin
cp_origin_of(const struct stat *st)
{
	return (struct cp_origin){
		.device = (uint64_t)st->st_dev,
		.inode = (uint64_t)st->st_ino,
		.size = (uint64_t)st->st_size,
		.modified = { (uint64_t)st->st_mtim.tv_sec,
		    (uint64_t)st->st_mtim.tv_nsec },
		.changed = { (uint64_t)st->st_ctim.tv_sec,
		    (uint64_t)st->st_ctim.tv_nsec },
		.ours = is_trusted(st),
	};
}

/* Copies the file to our own memory; if it shrinks, copies the rest. */
static bool
copy_file(int fd, size_t size, struct cp_content *out)
{
	uint8_t *p = malloc(size);
	size_t len = 0;
	ssize_t n = 1;

	while (p != NULL && len < size && n > 0) {
		n = cp_pread(fd, p + len, size - len, (off_t)len);
		len += n > 0 ? (size_t)n : 0;
	}
	if (n < 0 || len == 0) {
		free(p);
		return false;
	}
	*out = (struct cp_content){ .data = p, .size = len };
	return true;
}

bool
cp_objfile_map(int fd, struct cp_content *out)
{
	struct stat st;
	const void *p;

	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size <= 0 ||
	    (uint64_t)st.st_size > SIZE_MAX / 2)
		return false;
	if (!is_trusted(&st)) {
		if (!copy_file(fd, (size_t)st.st_size, out))
			return false;
		out->from = cp_origin_of(&st);
		return true;
	}
	p = cp_file_map(fd, 0, (size_t)st.st_size);
	if (p == NULL)
		return false;
	*out = (struct cp_content){ .data = p,
		.size = (size_t)st.st_size,
		.mapped = true,
		.from = cp_origin_of(&st) };
	return true;
}

bool
cp_objfile_map_part(int fd, struct cp_extent at, struct cp_content *out)
{
	const void *p = NULL;

	if (at.size != 0)
		p = cp_file_map(fd, at.offset, (size_t)at.size);
	if (p == NULL)
		return false;
	*out = (struct cp_content){
		.data = p, .size = (size_t)at.size, .mapped = true
	};
	return true;
}

bool
cp_objfile_take(int fd, struct cp_content *out)
{
	bool ok = fd >= 0 && cp_objfile_map(fd, out);

	if (fd >= 0)
		close(fd);
	return ok;
}

bool
cp_objfile_read(int fd, size_t max, struct cp_content *out)
{
	size_t cap = (size_t)1 << 20, len = 0;
	uint8_t *p = cp_xmalloc(cap);
	ssize_t n = 0;

	while (len <= max && (n = cp_read(fd, p + len, cap - len)) > 0) {
		len += (size_t)n;
		if (len == cap)
			p = cp_xrealloc(p, cap *= 2, 1);
	}
	if (n < 0 || len == 0 || len > max) {
		free(p);
		return false;
	}
	*out = (struct cp_content){ .data = p, .size = len };
	return true;
}

void
cp_content_unload(const struct cp_content *c, const void *from, const void *to)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	union {
		uintptr_t n;
		void *p;
	} begin = { .n = (uintptr_t)from & -page };

	if (c->mapped)
		(void)madvise(
		    begin.p, ((uintptr_t)to & -page) - begin.n, MADV_DONTNEED);
}

void
cp_content_free(struct cp_content *c)
{
	union {
		const uint8_t *in;
		void *out;
	} p = { .in = c->data };

	cp_inflated_release(&c->inflated);
	if (c->data == NULL)
		return;
	if (c->mapped)
		cp_file_unmap(c->data, c->size);
	else
		free(p.out);
	*c = (struct cp_content){ 0 };
}

bool
cp_content_is_whole(const struct cp_content *c)
{
	return !c->mapped || !cp_file_shrank(c->data);
}
