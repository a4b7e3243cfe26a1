/* SPDX-License-Identifier: MIT */
/*
 * The cache of inlined functions: what was put is there again, also after
 * another run has added to it, and a file with any byte damaged says the same
 * or nothing.  Of too many files those go that were used longest ago.
 */
#define _GNU_SOURCE /* mkdtemp */
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/disk-cache.h"
#include "base/limits.h"
#include "symbolize/inlines/inline-cache.h"
#include "tests/tap.h"

#define ADDRESSES 100u

static char path[200];

static char *
new_path(void)
{
	char *p = cp_xcalloc(sizeof(path), 1);

	memcpy(p, path, sizeof(path));
	return p;
}

/* Address i has i % 4 frames, all of them different. */
static struct cp_dwarf_frame
frame(struct cp_strings *texts, uint32_t i, uint32_t k)
{
	char name[40], file[40];

	snprintf(name, sizeof(name), "name%" PRIu32 ".%" PRIu32, i, k);
	snprintf(file, sizeof(file), "/file%" PRIu32, i % 7);
	return (struct cp_dwarf_frame){
		.name = cp_strings_add(texts, name),
		.file = cp_strings_add(texts, file),
		.line = i * 10 + k,
		.column = k,
		.linkage = (k & 1) != 0,
	};
}

static void
put_all(uint32_t from, uint32_t step)
{
	struct cp_inlcache *c = cp_inlcache_open(new_path());
	struct cp_strings texts = { 0 };

	/* Downwards: the order must not matter. */
	for (uint32_t i = from; i < ADDRESSES; i += step) {
		uint32_t at = ADDRESSES - 1 - i;
		struct cp_dwarf_frame f[4];

		for (uint32_t k = 0; k < at % 4; k++)
			f[k] = frame(&texts, at, k);
		cp_inlcache_put(c, 0x1000 + at * 3, &texts, f, at % 4);
	}
	cp_inlcache_close(c);
	cp_strings_free(&texts);
}

/* How many addresses have a right answer; wrong ones are counted, too. */
static uint32_t
right(struct cp_inlcache *c, uint32_t *wrong)
{
	struct cp_strings texts = { 0 };
	uint32_t found = 0, n;

	for (uint32_t i = 0; i < ADDRESSES; i++) {
		struct cp_dwarf_result r = { 0 };
		bool same;

		if (!cp_inlcache_get(c, 0x1000 + i * 3, &texts, &r, &n))
			continue;
		same = n == i % 4 && r.frames.len == n;
		for (uint32_t k = 0; k < n && same; k++) {
			struct cp_dwarf_frame f = frame(&texts, i, k);
			const struct cp_dwarf_frame *g = &r.frames.data[k];

			same = f.name == g->name && f.file == g->file &&
			       f.line == g->line && f.column == g->column &&
			       f.linkage == g->linkage;
		}
		found += same;
		*wrong += !same;
		cp_vec_free(&r.frames);
	}
	cp_strings_free(&texts);
	return found;
}

static void
test_damage(void)
{
	struct cp_content file = { 0 };
	uint32_t wrong = 0, used = 0;
	uint8_t *copy;
	int fd = cp_objfile_open(path);

	ok(fd >= 0 && cp_objfile_map(fd, &file), "the file is there");
	for (size_t i = 0; i < 2 * file.size; i++) {
		struct cp_inlcache *c;
		size_t size = i < file.size ? file.size : i - file.size;

		copy = cp_xmalloc(file.size);
		memcpy(copy, file.data, file.size);
		copy[i % file.size] ^= i < file.size ? 0x55 : 0;
		c = cp_inlcache_of(
		    (struct cp_content){ .data = copy, .size = size });
		used += right(c, &wrong) != 0;
		cp_inlcache_close(c);
	}
	is_u64(
	    wrong, 0, "no wrong answer from %zu damaged files", 2 * file.size);
	is_u64(used, 0, "none of them is used");
	cp_content_free(&file);
	close(fd);
}

/* A file of 1000 bytes, of an hour ago, that was used some seconds later. */
static void
make_used(const char *dir, const char *name, time_t used)
{
	time_t made = time(NULL) - 3600;
	const struct timespec times[2] = { { .tv_sec = made + used },
		{ .tv_sec = made } };
	char text[1000] = "", at[300];
	int fd;

	snprintf(at, sizeof(at), "%s/%s", dir, name);
	fd = open(at, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, text, sizeof(text)) != sizeof(text) ||
	    futimens(fd, times) != 0)
		ok(false, "%s is made", at);
	close(fd);
}

static const char *const trimmed[] = { "ab/03", "ab/01.77", "cd/02", "ab/x",
	"zz" };

static bool
is_there(const char *dir, const char *name)
{
	char at[300];

	snprintf(at, sizeof(at), "%s/%s", dir, name);
	return access(at, F_OK) == 0;
}

/* Which of the files are there, a bit each. */
static unsigned
present(const char *dir)
{
	unsigned found = 0;

	for (unsigned i = 0; i < CP_ARRAY_LEN(trimmed); i++)
		found |= (unsigned)is_there(dir, trimmed[i]) << i;
	return found;
}

/* Of a writer that was killed two days ago, and of one that may still run. */
static void
test_unfinished(const char *dir)
{
	const struct timespec old[2] = { { .tv_sec = time(NULL) - 172800 },
		{ .tv_sec = time(NULL) - 172800 } };
#define HEX16 "0123456789abcdef"
#define HEX HEX16 HEX16 HEX16 HEX16
	static const char *const names[] = { HEX, HEX ".99", HEX ".98", "y.99",
		"a.out", "c.c", "fee.99", HEX ".txt", HEX ".", HEX "a.99" };
	char at[300];
	bool stay = true;

	for (unsigned i = 0; i < CP_ARRAY_LEN(names); i++) {
		make_used(dir, names[i], 0);
		snprintf(at, sizeof(at), "%s/%s", dir, names[i]);
		if (i != 2)
			utimensat(AT_FDCWD, at, old, 0);
	}
	cp_cachefile_trim(dir, 1 << 20);
	ok(!is_there(dir, names[1]), "what was left unfinished goes");
	ok(is_there(dir, names[2]), "... not what is being written");
	for (unsigned i = 0; i < CP_ARRAY_LEN(names); i++)
		stay &= i == 1 || is_there(dir, names[i]);
	ok(stay, "... nor others");
	for (unsigned i = 0; i < CP_ARRAY_LEN(names); i++) {
		snprintf(at, sizeof(at), "%s/%s", dir, names[i]);
		unlink(at);
	}
}

/*
 * In containers process IDs return: another process of ours was killed with the
 * same, just now.
 */
static void
test_same_pid(const char *dir)
{
	char at[300], tmp[4200], other[300];

	snprintf(at, sizeof(at), "%s/misses", dir);
	snprintf(other, sizeof(other), "misses.%ld", (long)getpid());
	make_used(dir, other, 0);
	ok(cp_cachefile_put(at, "x", 1) && is_there(dir, "misses") &&
		is_there(dir, other),
	    "what is left of our process ID is no hindrance");
	snprintf(tmp, sizeof(tmp), "%s/%s", dir, other);
	unlink(tmp);
	unlink(at);
}

/* A link may lead to what is no cache. */
static void
test_link(const char *dir)
{
	char link[300], at[300];

	snprintf(link, sizeof(link), "%s/link", dir);
	snprintf(at, sizeof(at), "%s/05", dir);
	make_used(dir, "05", 0);
	ok(symlink(dir, link) == 0, "a link");
	cp_cachefile_trim(link, 0);
	ok(is_there(dir, "05"), "nothing is removed through a link");
	unlink(at);
	unlink(link);
}

static void
test_trim(const char *dir)
{
	char at[300];

	snprintf(at, sizeof(at), "%s/ab", dir);
	mkdir(at, 0700);
	snprintf(at, sizeof(at), "%s/cd", dir);
	mkdir(at, 0700);
	make_used(dir, trimmed[0], 3);
	make_used(dir, trimmed[1], 1);
	make_used(dir, trimmed[2], 2);
	make_used(dir, trimmed[3], 0);
	make_used(dir, trimmed[4], 0);
	cp_cachefile_trim(dir, 3000);
	is_u64(present(dir), 0x1f, "what is small enough stays");
	cp_cachefile_trim(dir, 2999);
	is_u64(present(dir), 0x1d, "the one used longest ago goes");
	cp_cachefile_trim(dir, 1500);
	is_u64(present(dir), 0x19, "then the next");
	cp_cachefile_trim(dir, 0);
	is_u64(present(dir), 0x18, "and all, but for what is not ours");
	for (unsigned i = 0; i < CP_ARRAY_LEN(trimmed); i++) {
		snprintf(at, sizeof(at), "%s/%s", dir, trimmed[i]);
		unlink(at);
	}
	snprintf(at, sizeof(at), "%s/ab", dir);
	rmdir(at);
	snprintf(at, sizeof(at), "%s/cd", dir);
	rmdir(at);
}

/* More than half of what a file may be is not carried along. */
static void
test_large(void)
{
	static char name[4096];
	struct cp_inlcache *c = cp_inlcache_open(new_path());
	struct cp_strings texts = { 0 };
	struct cp_dwarf_frame f = { 0 };
	uint32_t wrong = 0, n = CP_MAX_INLINE_CACHE / 2 / sizeof(name) + 1;

	memset(name, 'x', sizeof(name) - 1);
	for (uint32_t i = 0; i < n; i++) {
		snprintf(name, 9, "%08" PRIx32, i);
		name[8] = 'x';
		f.name = cp_strings_add(&texts, name);
		cp_inlcache_put(c, 0x100000 + i, &texts, &f, 1);
	}
	ok(cp_inlcache_close(c), "a large file is written");
	cp_strings_free(&texts);
	put_all(0, 2);
	c = cp_inlcache_open(new_path());
	is_u64(right(c, &wrong), ADDRESSES / 2, "what comes then is there");
	ok(!cp_inlcache_get(
	       c, 0x100000, &texts, &(struct cp_dwarf_result){ 0 }, &n),
	    "the large one is not");
	cp_inlcache_close(c);
	cp_strings_free(&texts);
}

int
main(void)
{
	char dir[] = "/tmp/coldperf-inlcache.XXXXXX";
	struct cp_inlcache *c;
	uint32_t wrong = 0;

	if (mkdtemp(dir) == NULL)
		return 99;
	snprintf(path, sizeof(path), "%s/a/b/cdef", dir);
	c = cp_inlcache_open(new_path());
	is_u64(right(c, &wrong), 0, "no file, no answers");
	cp_inlcache_close(c);
	put_all(0, 2);
	c = cp_inlcache_open(new_path());
	is_u64(right(c, &wrong), ADDRESSES / 2, "what was put");
	cp_inlcache_close(c);
	put_all(1, 2);
	c = cp_inlcache_open(new_path());
	is_u64(right(c, &wrong), ADDRESSES, "and what was added");
	is_u64(wrong, 0, "nothing else");
	cp_inlcache_close(c);
	test_damage();
	test_large();
	test_trim(dir);
	test_unfinished(dir);
	test_same_pid(dir);
	test_link(dir);
	unlink(path);
	snprintf(path, sizeof(path), "%s/a/b", dir);
	rmdir(path);
	snprintf(path, sizeof(path), "%s/a", dir);
	rmdir(path);
	rmdir(dir);
	return done_testing();
}
