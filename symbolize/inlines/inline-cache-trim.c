/* SPDX-License-Identifier: MIT */
/*
 * Bounds the folder of cached inlined functions: what was used longest ago
 * goes first.  Only files that could be the cache's own are looked at.
 */
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/vec.h"
#include "symbolize/inlines/inline-cache.h"

struct kept {
	char path[2 + 1 + 256]; /* below the folder */
	uint64_t size;
	int64_t seconds, ns; /* when it was used */
};

struct trim {
	int folder;
	uint64_t size;
	CP_VEC(struct kept) files;
};

static bool
is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

/* "cdef", and "cdef.123", which somebody is writing or did not finish. */
static bool
is_ours(const char *name)
{
	size_t n = 0;

	while (is_hex(name[n]))
		n++;
	return n != 0 && (name[n] == '\0' || name[n] == '.');
}

static bool
later(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec
				      : a->tv_nsec > b->tv_nsec;
}

static void
add_file(struct trim *t, int dir, const char *in, const char *name)
{
	struct stat st;
	const struct timespec *used;
	struct kept *k;

	if (!is_ours(name) || strlen(name) > 255 ||
	    t->files.len >= CP_MAX_INLINE_FILES ||
	    fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
	    !S_ISREG(st.st_mode))
		return;
	used = later(&st.st_atim, &st.st_mtim) ? &st.st_atim : &st.st_mtim;
	k = cp_vec_push(&t->files);
	*k = (struct kept){ .size = (uint64_t)st.st_size,
		.seconds = used->tv_sec,
		.ns = used->tv_nsec };
	snprintf(k->path, sizeof(k->path), "%.2s/%s", in, name);
	t->size += k->size;
}

static void
add_folder(struct trim *t, const char *name)
{
	int fd;
	DIR *dir;
	struct dirent *e;

	if (!is_hex(name[0]) || !is_hex(name[1]) || name[2] != '\0')
		return;
	fd = openat(
	    t->folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	dir = fd >= 0 ? fdopendir(fd) : NULL;
	if (dir == NULL) {
		if (fd >= 0)
			close(fd);
		return;
	}
	while ((e = readdir(dir)) != NULL)
		add_file(t, fd, name, e->d_name);
	closedir(dir);
}

static int
oldest_first(const void *a, const void *b)
{
	const struct kept *x = a, *y = b;

	if (x->seconds != y->seconds)
		return x->seconds < y->seconds ? -1 : 1;
	if (x->ns != y->ns)
		return x->ns < y->ns ? -1 : 1;
	return strcmp(x->path, y->path);
}

void
cp_inlcache_trim(const char *folder, uint64_t max)
{
	struct trim t = { 0 };
	DIR *dir = opendir(folder);
	struct dirent *e;

	if (dir == NULL)
		return;
	t.folder = dirfd(dir);
	while ((e = readdir(dir)) != NULL)
		add_folder(&t, e->d_name);
	if (t.size > max)
		qsort(t.files.data, t.files.len, sizeof(*t.files.data),
		    oldest_first);
	for (size_t i = 0; i < t.files.len && t.size > max; i++)
		if (unlinkat(t.folder, t.files.data[i].path, 0) == 0)
			t.size -= t.files.data[i].size;
	cp_vec_free(&t.files);
	closedir(dir);
}
