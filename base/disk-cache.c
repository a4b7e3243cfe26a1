/* SPDX-License-Identifier: MIT */
#include "base/disk-cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/port.h"
#include "base/digest.h"
#include "base/retry.h"
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
cp_cachefile_in(const char *name)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	struct cp_buf b;

	cp_buf_init(&b, 4096);
	if (cache != NULL && cache[0] == '/')
		cp_buf_printf(&b, "%s/coldperf/%s", cache, name);
	else if (home != NULL && home[0] == '/')
		cp_buf_printf(&b, "%s/.cache/coldperf/%s", home, name);
	if (!b.full)
		return b.data;
	cp_buf_free(&b);
	return NULL;
}

char *
cp_cachefile_path(const char *kind, const char *of)
{
	char name[100], sum[65], *real = realpath(of, NULL);

	if (real == NULL)
		return NULL;
	sum_of(real, strlen(real), sum);
	free(real);
	snprintf(name, sizeof(name), "%s/%s", kind, sum);
	return cp_cachefile_in(name);
}

struct cp_identity
cp_identity_of(const struct stat *st)
{
	struct cp_identity id;

	snprintf(id.inode, sizeof(id.inode), "%" PRIu64, (uint64_t)st->st_ino);
	snprintf(id.size, sizeof(id.size), "%" PRIu64, (uint64_t)st->st_size);
	snprintf(id.time, sizeof(id.time), "%" PRId64 ".%ld %" PRId64 ".%ld",
	    (int64_t)st->st_mtim.tv_sec, st->st_mtim.tv_nsec,
	    (int64_t)st->st_ctim.tv_sec, st->st_ctim.tv_nsec);
	return id;
}

void
cp_cachefile_folders(const char *path)
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
	enum { TRIES = 100 };
	int fd = -1;

	cp_cachefile_folders(path);
	/* A process of our ID that was killed, as in containers, left one. */
	for (long i = 0; fd < 0 && i < TRIES && (i == 0 || errno == EEXIST);
	     i++) {
		snprintf(tmp, 4200, "%s.%ld", path, (long)getpid() + i);
		fd = open(tmp,
		    O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0600);
	}
	return fd;
}

bool
cp_cachefile_finish(const char *path, const char *tmp, bool whole)
{
	if (whole && rename(tmp, path) == 0)
		return true;
	unlink(tmp);
	return false;
}

bool
cp_cachefile_put(const char *path, const void *data, size_t n)
{
	char tmp[4200];
	int fd = cp_cachefile_create(path, tmp);
	bool whole;

	if (fd < 0)
		return false;
	whole = cp_write_all(fd, data, n);
	return cp_cachefile_finish(path, tmp, close(fd) == 0 && whole);
}

/* ------------------------------------------------ contents and their list */

enum { TAIL = 17, BLOCK = 64 << 10, DATA_LINE = 5 + 16 + 1 };

/*
 * Adds bytes to a sum that detects damage at the speed of memory: four lanes,
 * each of which changes with any change of a word.
 */
static uint64_t
add_bytes(uint64_t sum, const uint8_t *p, size_t n)
{
	const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);
	uint64_t lane[4] = { sum, sum + 1, sum + 2, n }, w[4];

	for (; n >= sizeof(w); n -= sizeof(w), p += sizeof(w)) {
		memcpy(w, p, sizeof(w));
		for (size_t i = 0; i < 4; i++)
			lane[i] = (lane[i] ^ w[i]) * odd;
	}
	for (; n > 0; n--)
		lane[n % 4] = (lane[n % 4] ^ *p++) * odd;
	for (size_t i = 0; i < 4; i++)
		sum = ((sum ^ lane[i] ^ lane[i] >> 29) * odd) + i;
	return sum;
}

static void
data_line(uint64_t sum, char out[DATA_LINE + 1])
{
	snprintf(out, DATA_LINE + 1, "data\t%016" PRIx64 "\n", sum);
}

static bool
sum_file(int fd, uint64_t size, uint64_t *sum)
{
	uint8_t *block = cp_xmalloc(BLOCK);
	uint64_t at = 0;
	ssize_t n = 1;

	for (*sum = 0; at < size && n > 0; at += (uint64_t)n) {
		n = cp_pread(fd, block,
		    (size_t)CP_MIN(size - at, (uint64_t)BLOCK), (off_t)at);
		if (n > 0)
			*sum = add_bytes(*sum, block, (size_t)n);
	}
	free(block);
	return n > 0;
}

/* The list's last line but one has the sum of the contents. */
static bool
are_contents_right(int fd, uint64_t size, const char *text, size_t n)
{
	char line[DATA_LINE + 1];
	uint64_t sum;

	if (n < DATA_LINE + CP_SUM_LINE || !sum_file(fd, size, &sum))
		return false;
	data_line(sum, line);
	return memcmp(text + n - CP_SUM_LINE - DATA_LINE, line, DATA_LINE) == 0;
}

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
	if (cp_pread(fd, tail, TAIL, (off_t)all) != TAIL)
		return false;
	n = strtoull(tail, &end, 16);
	if (end != tail + TAIL - 1 || *end != '\n' || n > all || n > max)
		return false;
	*size = all - n;
	text = cp_xmalloc((size_t)n + 1);
	good = cp_pread(fd, text, (size_t)n, (off_t)*size) == (ssize_t)n &&
	       cp_sum_is_right(text, (size_t)n) &&
	       are_contents_right(fd, *size, text, (size_t)n) &&
	       cp_manifest_parse(list, magic, text, (size_t)n);
	free(text);
	return good;
}

/* Copies size bytes.  Blocks of zeros become holes. */
static bool
copy(int from, int to, uint64_t size, uint64_t *sum)
{
	static const uint8_t zeros[BLOCK];
	uint8_t *block = cp_xmalloc(BLOCK);
	bool good = true;

	*sum = 0;
	for (uint64_t at = 0; at < size && good; at += BLOCK) {
		size_t want = (size_t)CP_MIN(size - at, (uint64_t)BLOCK);
		ssize_t n = cp_pread(from, block, want, (off_t)at);

		good = n >= 0 && (memcmp(block, zeros, (size_t)n) == 0 ||
				     cp_pwrite_all(to, block, (size_t)n, at));
		memset(block + CP_MAX(n, 0), 0, want - (size_t)CP_MAX(n, 0));
		*sum = add_bytes(*sum, block, want);
	}
	free(block);
	return good;
}

bool
cp_cachefile_write(int fd, int from, uint64_t size, struct cp_buf *list)
{
	char sum[CP_SUM_LINE + 1], data[DATA_LINE + 1];
	uint64_t contents;
	size_t n;

	if (!copy(from, fd, size, &contents))
		return false;
	data_line(contents, data);
	cp_buf_str(list, data);
	cp_sum_line(cp_buf_text(list), list->len, sum);
	cp_buf_str(list, sum);
	n = list->len;
	cp_buf_printf(list, "%016zx\n", n);
	return !list->full && cp_pwrite_all(fd, list->data, list->len, size);
}

/* ------------------------------------------------------------------- room */

struct kept {
	char path[3 + 256]; /* below the folder: "cdef" or "ab/cdef" */
	uint64_t size;
	int64_t seconds, ns; /* last use */
};

struct trim {
	int folder;
	uint64_t size; /* sum over all files */
	CP_VEC(struct kept) files;
};

/* Whoever writes a file has ended long ago after this time. */
enum { UNFINISHED_SECONDS = 24 * 60 * 60 };

static bool
is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

static size_t
hex_digits(const char *name)
{
	size_t n = 0;

	while (is_hex(name[n]))
		n++;
	return n;
}

/* True for "" and ".123", the writer's process ID. */
static bool
is_end(const char *s)
{
	return *s == '\0' || (*s == '.' && s[1] != '\0' &&
				 s[1 + strspn(s + 1, "0123456789")] == '\0');
}

/* Accepts "cdef", and "cdef.123": a file being written, or left unfinished. */
static bool
is_ours(const char *name)
{
	size_t n = hex_digits(name);

	return n != 0 && is_end(name + n);
}

static bool
is_old(const struct stat *st)
{
	return time(NULL) - st->st_mtim.tv_sec > UNFINISHED_SECONDS;
}

/*
 * Was the writer of "cdef.123" killed?  Only whole names, whose first two
 * digits can be a folder, are removed before the cache is full.
 */
static bool
is_left(const char *name, const struct stat *st)
{
	enum { DIGITS = 64 };
	size_t n = hex_digits(name);

	return (n == DIGITS || n == DIGITS - 2) && name[n] == '.' && is_old(st);
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
	    t->files.len >= CP_MAX_CACHE_FILES ||
	    fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
	    !S_ISREG(st.st_mode))
		return;
	if (is_left(name, &st) && unlinkat(dir, name, 0) == 0)
		return;
	used = later(&st.st_atim, &st.st_mtim) ? &st.st_atim : &st.st_mtim;
	k = cp_vec_push(&t->files);
	*k = (struct kept){ .size = (uint64_t)st.st_size,
		.seconds = used->tv_sec,
		.ns = used->tv_nsec };
	snprintf(k->path, sizeof(k->path), "%s%.255s", in, name);
	t->size += k->size;
}

static bool
is_folder_name(const char *name)
{
	return is_hex(name[0]) && is_hex(name[1]) && name[2] == '\0';
}

static void
add_folder(struct trim *t, const char *name)
{
	char in[4];
	int fd;
	DIR *dir;
	struct dirent *e;

	snprintf(in, sizeof(in), "%.2s/", name);
	fd = openat(
	    t->folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	dir = fd >= 0 ? fdopendir(fd) : NULL;
	if (dir == NULL) {
		if (fd >= 0)
			close(fd);
		return;
	}
	while ((e = readdir(dir)) != NULL)
		add_file(t, fd, in, e->d_name);
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

/* A link leads to what may be another's, whose names are like ours, too. */
static DIR *
open_folder(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;

	if (dir == NULL && fd >= 0)
		close(fd);
	return dir;
}

void
cp_cachefile_left(const char *path)
{
	const char *name = strrchr(path, '/') + 1;
	char *folder = strndup(path, (size_t)(name - path) - 1);
	DIR *dir = open_folder(folder);
	size_t n = strlen(name);
	struct dirent *e;
	struct stat st;

	free(folder);
	while (dir != NULL && (e = readdir(dir)) != NULL)
		if (strncmp(e->d_name, name, n) == 0 && e->d_name[n] == '.' &&
		    is_end(e->d_name + n) &&
		    fstatat(dirfd(dir), e->d_name, &st, AT_SYMLINK_NOFOLLOW) ==
			0 &&
		    S_ISREG(st.st_mode) && is_old(&st))
			(void)unlinkat(dirfd(dir), e->d_name, 0);
	if (dir != NULL)
		closedir(dir);
}

void
cp_cachefile_trim(const char *folder, uint64_t max)
{
	struct trim t = { 0 };
	DIR *dir = open_folder(folder);
	struct dirent *e;

	if (dir == NULL)
		return;
	t.folder = dirfd(dir);
	while ((e = readdir(dir)) != NULL)
		if (is_folder_name(e->d_name))
			add_folder(&t, e->d_name);
		else
			add_file(&t, t.folder, "", e->d_name);
	if (t.size > max)
		qsort(t.files.data, t.files.len, sizeof(*t.files.data),
		    oldest_first);
	for (size_t i = 0; i < t.files.len && t.size > max; i++)
		if (unlinkat(t.folder, t.files.data[i].path, 0) == 0)
			t.size -= t.files.data[i].size;
	cp_vec_free(&t.files);
	closedir(dir);
}

void
cp_cachefile_bound(const char *kind, uint64_t max)
{
	char *folder = cp_cachefile_in(kind);

	if (folder != NULL)
		cp_cachefile_trim(folder, max);
	free(folder);
}
