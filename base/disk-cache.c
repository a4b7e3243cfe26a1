/* SPDX-License-Identifier: MIT */
#include "base/disk-cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/sha256.h"
#include "base/vec.h"

static void
sum_of(const void *p, size_t n, char out[65])
{
	struct cp_sha256 s;

	cp_sha256_init(&s);
	cp_sha256_add(&s, p, n);
	cp_sha256_hex(&s, out);
}

void
cp_sum_line(const void *text, size_t n, char out[CP_SUM_LINE + 1])
{
	memcpy(out, "sum\t", 4);
	sum_of(text, n, out + 4);
	memcpy(out + 4 + 64, "\n", 2);
}

bool
cp_sum_is_right(const void *text, size_t n)
{
	char line[CP_SUM_LINE + 1];

	if (n < CP_SUM_LINE)
		return false;
	n -= CP_SUM_LINE;
	cp_sum_line(text, n, line);
	return memcmp((const char *)text + n, line, CP_SUM_LINE) == 0;
}

char *
cp_cachefile_path(const char *kind, const char *of)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	char *real = realpath(of, NULL);
	struct cp_buf b;
	char sum[65];

	if (real == NULL)
		return NULL;
	sum_of(real, strlen(real), sum);
	free(real);
	cp_buf_init(&b, 4096);
	if (cache != NULL && cache[0] == '/')
		cp_buf_printf(&b, "%s/coldperf/%s/%s", cache, kind, sum);
	else if (home != NULL && home[0] == '/')
		cp_buf_printf(&b, "%s/.cache/coldperf/%s/%s", home, kind, sum);
	if (!b.full)
		return b.data;
	cp_buf_free(&b);
	return NULL;
}

struct cp_identity
cp_identity_of(const struct stat *st)
{
	struct cp_identity id;

	snprintf(id.inode, sizeof(id.inode), "%" PRIu64, (uint64_t)st->st_ino);
	snprintf(id.size, sizeof(id.size), "%" PRIu64, (uint64_t)st->st_size);
	snprintf(id.time, sizeof(id.time), "%" PRId64 ".%ld",
	    (int64_t)st->st_mtim.tv_sec, st->st_mtim.tv_nsec);
	return id;
}

/* Folders on the way, ours only. */
static void
make_folders(const char *path)
{
	char *copy = cp_xcalloc(strlen(path) + 1, 1);

	memcpy(copy, path, strlen(path));
	for (char *s = copy + 1; (s = strchr(s, '/')) != NULL; *s++ = '/') {
		*s = '\0';
		if (access(copy, F_OK) != 0 && mkdir(copy, 0700) != 0)
			break;
	}
	free(copy);
}

int
cp_cachefile_create(const char *path, char tmp[4200])
{
	snprintf(tmp, 4200, "%s.%ld", path, (long)getpid());
	make_folders(path);
	return open(
	    tmp, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0600);
}

void
cp_cachefile_finish(const char *path, const char *tmp, bool whole)
{
	if (!whole || rename(tmp, path) != 0)
		unlink(tmp);
}

/* ------------------------------------------------ contents and their list */

enum { TAIL = 17, BLOCK = 64 << 10 };

bool
cp_cachefile_read(int fd, const char *magic, size_t max,
    struct cp_manifest *list, uint64_t *size)
{
	char tail[TAIL + 1] = "", *end, *text;
	uint64_t all, n;
	struct stat st;
	bool good;

	if (fstat(fd, &st) != 0 || st.st_size < TAIL)
		return false;
	all = (uint64_t)st.st_size - TAIL;
	if (pread(fd, tail, TAIL, (off_t)all) != TAIL)
		return false;
	n = strtoull(tail, &end, 16);
	if (end != tail + TAIL - 1 || *end != '\n' || n > all || n > max)
		return false;
	*size = all - n;
	text = cp_xmalloc((size_t)n + 1);
	good = pread(fd, text, (size_t)n, (off_t)*size) == (ssize_t)n &&
	       cp_sum_is_right(text, (size_t)n) &&
	       cp_manifest_parse(list, magic, text, (size_t)n);
	free(text);
	return good;
}

/* Holes stay holes. */
static bool
copy(int from, int to, uint64_t size)
{
	static const uint8_t zeros[BLOCK];
	uint8_t *block = cp_xmalloc(BLOCK);
	bool good = true;

	for (uint64_t at = 0; at < size && good; at += BLOCK) {
		size_t want = (size_t)CP_MIN(size - at, (uint64_t)BLOCK);
		ssize_t n = pread(from, block, want, (off_t)at);

		good =
		    n >= 0 && (memcmp(block, zeros, (size_t)n) == 0 ||
				  pwrite(to, block, (size_t)n, (off_t)at) == n);
	}
	free(block);
	return good;
}

bool
cp_cachefile_write(int fd, int from, uint64_t size, struct cp_buf *list)
{
	char sum[CP_SUM_LINE + 1];
	size_t n;

	cp_sum_line(cp_buf_text(list), list->len, sum);
	cp_buf_str(list, sum);
	n = list->len;
	cp_buf_printf(list, "%016zx\n", n);
	return !list->full && copy(from, fd, size) &&
	       pwrite(fd, list->data, list->len, (off_t)size) ==
		   (ssize_t)list->len;
}

/* ------------------------------------------------------------------- room */

struct kept {
	struct timespec used;
	uint64_t size;
	const char *name;
};

/* The latest first. */
static int
by_use(const void *a, const void *b)
{
	const struct kept *x = a, *y = b;

	if (x->used.tv_sec != y->used.tv_sec)
		return x->used.tv_sec > y->used.tv_sec ? -1 : 1;
	return (x->used.tv_nsec < y->used.tv_nsec) -
	       (x->used.tv_nsec > y->used.tv_nsec);
}

void
cp_cachefile_trim(const char *path, uint64_t max)
{
	size_t n = (size_t)(strrchr(path, '/') - path);
	CP_VEC(struct kept) all = { 0 };
	struct cp_arena names = { 0 };
	struct dirent *e;
	struct cp_buf b;
	struct stat st;
	DIR *d;

	cp_buf_init(&b, 4096);
	cp_buf_add(&b, path, n);
	d = opendir(cp_buf_text(&b));
	cp_buf_free(&b);
	while (d != NULL && (e = readdir(d)) != NULL)
		if (fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) ==
			0 &&
		    S_ISREG(st.st_mode))
			*cp_vec_push(&all) =
			    (struct kept){ st.st_mtim, (uint64_t)st.st_size,
				    cp_arena_strndup(
					&names, e->d_name, strlen(e->d_name)) };
	if (all.len != 0)
		qsort(all.data, all.len, sizeof(*all.data), by_use);
	for (size_t i = 0; i < all.len; i++)
		if (all.data[i].size <= max)
			max -= all.data[i].size;
		else
			unlinkat(dirfd(d), all.data[i].name, 0);
	if (d != NULL)
		closedir(d);
	cp_vec_free(&all);
	cp_arena_free(&names);
}
