/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* O_PATH */
#include "base/safe-file.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/mem.h"

#define READ_FLAGS (O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)

static bool
is_plain_file(int fd)
{
	struct stat st;
	struct statfs fs;

	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	if (fstatfs(fd, &fs) != 0)
		return false;
	return fs.f_type != PROC_SUPER_MAGIC && fs.f_type != SYSFS_MAGIC &&
	       fs.f_type != DEBUGFS_MAGIC && fs.f_type != TRACEFS_MAGIC &&
	       fs.f_type != CGROUP_SUPER_MAGIC &&
	       fs.f_type != CGROUP2_SUPER_MAGIC;
}

/*
 * Checks that the path that was examined (O_PATH) and the file opened for
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

static bool
has_prefix(const char *path, const char *dir)
{
	size_t n = strlen(dir);

	return strncmp(path, dir, n) == 0 &&
	       (path[n] == '/' || path[n] == '\0');
}

int
cp_objfile_open(const char *path)
{
	int seen;

	while (path[0] == '/' && path[1] == '/')
		path++;
	if (has_prefix(path, "/proc") || has_prefix(path, "/sys") ||
	    has_prefix(path, "/dev"))
		return -1;
	seen = open(path, O_PATH | O_CLOEXEC);
	if (seen < 0)
		return -1;
	return same_file(
	    seen, is_plain_file(seen) ? open(path, READ_FLAGS) : -1);
}

/*
 * openat2() needs Linux 5.6.  On older kernels nothing is found below a root.
 */
static int
open_inside(int dir, const char *path, int flags)
{
	struct open_how how = {
		.flags = (uint64_t)flags,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};

	return (int)syscall(SYS_openat2, dir, path, &how, sizeof(how));
}

int
cp_objfile_open_under(const char *root, const char *path)
{
	int dir = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC), seen, fd = -1;

	if (dir < 0)
		return -1;
	seen = open_inside(dir, path, O_PATH | O_CLOEXEC);
	if (seen >= 0)
		fd = same_file(seen, is_plain_file(seen)
					 ? open_inside(dir, path, READ_FLAGS)
					 : -1);
	close(dir);
	return fd;
}

bool
cp_objfile_map(int fd, struct cp_content *out)
{
	struct stat st;
	void *p;

	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size <= 0 ||
	    (uint64_t)st.st_size > SIZE_MAX / 2)
		return false;
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		return false;
	*out = (struct cp_content){ p, (size_t)st.st_size, true };
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

	while (len <= max && (n = read(fd, p + len, cap - len)) > 0) {
		len += (size_t)n;
		if (len == cap)
			p = cp_xrealloc(p, cap *= 2, 1);
	}
	if (n < 0 || len == 0 || len > max) {
		free(p);
		return false;
	}
	*out = (struct cp_content){ p, len, false };
	return true;
}

void
cp_content_free(struct cp_content *c)
{
	union {
		const uint8_t *in;
		void *out;
	} p = { .in = c->data };

	if (c->data == NULL)
		return;
	if (c->mapped)
		munmap(p.out, c->size);
	else
		free(p.out);
	*c = (struct cp_content){ 0 };
}
