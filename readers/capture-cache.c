/* SPDX-License-Identifier: MIT */
/*
 * capture-cache: one file of the disk cache for each bundle.  It holds the
 * capture and then a line, which is compared with the bundle before the capture
 * is used:
 *
 *	coldperf-capture	2
 *	BUNDLE	INODE	SIZE	TIME
 */
#include "readers/capture-cache.h"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/disk-cache.h"
#include "base/limits.h"

#define MAGIC "coldperf-capture\t2\t"

enum { LIST_MAX = 16 << 10 };

static bool
is_of(const struct cp_manifest *list, const char *path, const struct stat *st)
{
	struct cp_identity id = cp_identity_of(st);
	const struct cp_manifest_line *l;

	if (list->lines.len < 2)
		return false;
	l = &list->lines.data[1];
	return l->n == 4 && strcmp(l->field[0], path) == 0 &&
	       strcmp(l->field[1], id.inode) == 0 &&
	       strcmp(l->field[2], id.size) == 0 &&
	       strcmp(l->field[3], id.time) == 0;
}

int
cp_kept_open(const struct cp_input *bundle, uint64_t *size)
{
	char *path = cp_cachefile_path("captures", bundle->path);
	struct cp_manifest list = { 0 };
	bool good = false;
	struct stat st;
	int fd = -1;

	if (path != NULL)
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	free(path);
	if (fd >= 0 && fstat(bundle->fd, &st) == 0)
		good = cp_cachefile_read(fd, MAGIC, LIST_MAX, &list, size) &&
		       is_of(&list, bundle->path, &st);
	cp_manifest_free(&list);
	if (good) {
		futimens(fd, NULL); /* used last */
	} else if (fd >= 0) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static bool
has_room(int fd, uint64_t size)
{
	struct statvfs v;

	return fstatvfs(fd, &v) == 0 &&
	       v.f_bavail * (uint64_t)v.f_frsize / CP_KEPT_CAPTURE_FREE >= size;
}

static bool
write_kept(int fd, const struct cp_input *bundle, int capture, uint64_t size)
{
	struct cp_identity id;
	struct cp_buf list;
	struct stat st;
	bool good;

	if (fstat(bundle->fd, &st) != 0 || !has_room(fd, size))
		return false;
	id = cp_identity_of(&st);
	cp_buf_init(&list, LIST_MAX);
	cp_buf_str(&list, MAGIC "\n");
	cp_manifest_put(&list,
	    (const char *[]){ bundle->path, id.inode, id.size, id.time }, 4);
	good = cp_cachefile_write(fd, capture, size, &list);
	cp_buf_free(&list);
	return good;
}

/* A failure is silent: the next run inflates the bundle again. */
void
cp_kept_put(const struct cp_input *bundle, int capture, uint64_t size)
{
	char *path, tmp[4200];
	int fd;

	if (size < CP_BUNDLE_CACHE_MIN || size > CP_KEPT_CAPTURE_MAX / 2)
		return;
	path = cp_cachefile_path("captures", bundle->path);
	fd = path != NULL ? cp_cachefile_create(path, tmp) : -1;
	if (fd >= 0) {
		cp_cachefile_finish(
		    path, tmp, write_kept(fd, bundle, capture, size));
		close(fd);
		cp_cachefile_bound("captures", CP_KEPT_CAPTURE_MAX);
	}
	free(path);
}
