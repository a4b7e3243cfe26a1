/* SPDX-License-Identifier: MIT */
/*
 * Fetches with the library, whose own limits are not enough: it remembers a
 * cancelled transfer as a miss, and waits three times for a silent server.
 *
 * So it gets a temporary cache folder, is told to try once, and is stopped by
 * its progress callback.
 */
#define _GNU_SOURCE /* nftw */
#include "symbolize/debuginfod/client.h"

#include <dirent.h>
#include <dlfcn.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/library.h"
#include "base/limits.h"
#include "model/dso.h"
#include "symbolize/elf/elf-file.h"
#include "base/safe-file.h"

#define LIBRARY "libdebuginfod.so.1"

/* The temporary cache folder; after that time no run has it any more. */
#define STAGE ".coldperf-"
enum { LEFT_SECONDS = 24 * 60 * 60 };

const char *const cp_fetched_words[] = { "fetched", "not known to a server",
	"wrong content", "over the budget", "too slow", "stopped",
	"server not reached", "cannot be stored" };

typedef struct debuginfod_client client;

struct library {
	void *handle;
	client *(*begin)(void);
	void (*end)(client *);
	int (*find[CP_DBG_KINDS])(
	    client *, const unsigned char *, int, char **);
	int (*source)(client *, const unsigned char *, int, const char *,
	    char **); /* NULL: the library is too old */
	void (*progress)(client *, int (*)(client *, long, long));
};

struct cp_fetcher {
	struct library lib;
	char *root, *stage;
	struct cp_fetch_budget budget;
	double end; /* time at which the budget ends */
	_Atomic uint64_t bytes;
	atomic_bool stop;
	atomic_int failures;  /* consecutive failures without any answer */
	atomic_bool answered; /* a server has answered at least once */
};

struct cp_fetch_client {
	struct cp_fetcher *f;
	client *c;
	uint64_t counted; /* bytes of this transfer that f->bytes includes */
	long seen;        /* bytes reported by the last callback */
	double moved;     /* time when `seen` last changed */
	/* reason of cancelling; CP_FETCHED: not cancelled */
	enum cp_fetched why;
};

/* The client whose transfer runs in this thread. */
static _Thread_local struct cp_fetch_client *current;

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---------------------------------------------------------------- library */

#define FIND(l, name, to) cp_library_find((l)->handle, name, &(to), sizeof(to))

static bool
library_load(struct library *l)
{
	l->handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (l->handle != NULL)
		(void)FIND(l, "debuginfod_find_source", l->source);
	return l->handle != NULL && FIND(l, "debuginfod_begin", l->begin) &&
	       FIND(l, "debuginfod_end", l->end) &&
	       FIND(l, "debuginfod_find_executable",
		   l->find[CP_DBG_EXECUTABLE]) &&
	       FIND(
		   l, "debuginfod_find_debuginfo", l->find[CP_DBG_DEBUGINFO]) &&
	       FIND(l, "debuginfod_set_progressfn", l->progress);
}

/* ------------------------------------------------------------ the fetcher */

static bool
make_folder(const char *path)
{
	struct stat st;

	return mkdir(path, 0700) == 0 ||
	       (stat(path, &st) == 0 && S_ISDIR(st.st_mode));
}

/* Makes the folder and its parents. */
static bool
make_root(char *path)
{
	for (char *s = path + 1; (s = strchr(s, '/')) != NULL; *s++ = '/') {
		*s = '\0';
		(void)make_folder(path);
	}
	return make_folder(path);
}

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path) != 0 && errno != ENOENT;
}

static void
remove_stage(const char *path)
{
	nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* Six letters or digits, as mkdtemp() makes them. */
static bool
is_random(const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]))
		n++;
	return n == 6 && s[n] == '\0';
}

static bool
is_left(int dir, const char *name)
{
	struct stat st;

	return strncmp(name, STAGE, strlen(STAGE)) == 0 &&
	       is_random(name + strlen(STAGE)) &&
	       fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISDIR(st.st_mode) && (st.st_mode & 077) == 0 &&
	       st.st_uid == geteuid() &&
	       time(NULL) - st.st_mtime > LEFT_SECONDS;
}

/* Removes the folders of runs that were killed. */
static void
remove_left(const char *root)
{
	DIR *dir = opendir(root);
	struct dirent *e;
	char path[PATH_MAX];

	while (dir != NULL && (e = readdir(dir)) != NULL)
		if (is_left(dirfd(dir), e->d_name) &&
		    snprintf(path, sizeof(path), "%s/%s", root, e->d_name) <
			(int)sizeof(path))
			remove_stage(path);
	if (dir != NULL)
		closedir(dir);
}

static bool
make_stage(struct cp_fetcher *f)
{
	struct cp_buf b;

	if (f->root == NULL || !make_root(f->root))
		return false;
	remove_left(f->root);
	cp_buf_init(&b, 8192);
	cp_buf_printf(&b, "%s/" STAGE "XXXXXX", f->root);
	f->stage = b.data;
	return f->stage != NULL && mkdtemp(f->stage) != NULL;
}

/* Call before threads start.  Does not override the user's environment. */
static void
set_environment(const struct cp_fetcher *f)
{
	char text[16];

	setenv("DEBUGINFOD_CACHE_PATH", f->stage, 1);
	snprintf(text, sizeof(text), "%u", f->budget.silence);
	setenv("DEBUGINFOD_TIMEOUT", text, 1);
	setenv("DEBUGINFOD_RETRY_LIMIT", "0", 0);
	unsetenv("DEBUGINFOD_PROGRESS");
}

/* The user's timeout may only extend the silence within the budget. */
static void
user_silence(struct cp_fetch_budget *b)
{
	const char *text = getenv("DEBUGINFOD_TIMEOUT");
	unsigned long n = text != NULL ? strtoul(text, NULL, 10) : 0;

	if (n != 0 && n < 100000)
		b->silence = (unsigned)n;
	b->silence = CP_MAX(CP_MIN(b->silence, b->seconds), 1u);
}

struct cp_fetcher *
cp_fetcher_new(const struct cp_fetch_budget *budget, const char **why)
{
	const char *urls = getenv("DEBUGINFOD_URLS");
	struct cp_fetcher *f = cp_xcalloc(1, sizeof(*f));

	f->budget = *budget;
	f->end = now() + budget->seconds;
	user_silence(&f->budget);
	f->root = cp_dbgcache_root();
	*why = NULL;
	if (urls == NULL || urls[strspn(urls, " ")] == '\0')
		*why = "DEBUGINFOD_URLS names no server";
	else if (!library_load(&f->lib))
		*why = LIBRARY " is not installed";
	else if (!make_stage(f))
		*why = "the cache of debuginfod cannot be written";
	if (*why != NULL) {
		cp_fetcher_free(f);
		return NULL;
	}
	set_environment(f);
	return f;
}

void
cp_fetcher_free(struct cp_fetcher *f)
{
	if (f == NULL)
		return;
	if (f->stage != NULL) {
		remove_stage(f->stage);
		setenv("DEBUGINFOD_CACHE_PATH", f->root, 1);
	}
	/* Does not unload the library: curl's threads may still run. */
	free(f->stage);
	free(f->root);
	free(f);
}

const char *
cp_fetcher_root(const struct cp_fetcher *f)
{
	return f->root;
}

void
cp_fetcher_stop(struct cp_fetcher *f)
{
	atomic_store(&f->stop, true);
}

bool
cp_fetcher_stopped(const struct cp_fetcher *f)
{
	return atomic_load(&f->stop) || now() >= f->end;
}

uint64_t
cp_fetcher_bytes(const struct cp_fetcher *f)
{
	return atomic_load(&f->bytes);
}

/* ------------------------------------------------------------ one transfer */

static enum cp_fetched
reason_to_stop(struct cp_fetch_client *k, long done, long total)
{
	struct cp_fetcher *f = k->f;
	uint64_t all = atomic_load(&f->bytes);

	if (cp_fetcher_stopped(f))
		return CP_FETCH_STOPPED;
	if (done != k->seen) {
		k->seen = done;
		k->moved = now();
	}
	if (now() - k->moved > k->f->budget.silence)
		return CP_FETCH_TOO_SLOW;
	if (all > f->budget.bytes ||
	    (total > done && (uint64_t)(total - done) > f->budget.bytes - all))
		return CP_FETCH_TOO_LARGE;
	return CP_FETCHED;
}

/*
 * The library's progress callback.  Before the transfer it counts its waits
 * instead of bytes: a small number that does no harm.
 */
static int
on_progress(client *c, long done, long total)
{
	struct cp_fetch_client *k = current;

	(void)c;
	if (done > 0 && (uint64_t)done > k->counted) {
		atomic_fetch_add(&k->f->bytes, (uint64_t)done - k->counted);
		k->counted = (uint64_t)done;
	}
	k->why = reason_to_stop(k, done, total);
	return k->why != CP_FETCHED;
}

static enum cp_fetched
result_of(const struct cp_fetch_client *k, int error)
{
	if (k->why != CP_FETCHED)
		return k->why;
	switch (error) {
	case -ENOENT:
	case -ENOSYS: return CP_FETCH_UNKNOWN;
	case -EFBIG: return CP_FETCH_TOO_LARGE;
	case -ETIME:
	case -ETIMEDOUT: return CP_FETCH_TOO_SLOW;
	case -ENOSPC:
	case -EACCES:
	case -EROFS: return CP_FETCH_NOT_KEPT;
	default: return CP_FETCH_FAILED;
	}
}

static bool
has_id(int fd, const struct cp_dbg_id *id, uint64_t *size)
{
	struct cp_elf elf;
	struct stat st;
	int copy = dup(fd);
	bool same;

	if (copy < 0 || fstat(fd, &st) != 0 || !cp_elf_open(&elf, copy))
		return false;
	*size = (uint64_t)st.st_size;
	same = cp_build_id_equal(
	    elf.build_id, elf.build_id_size, id->id, id->size);
	cp_elf_free(&elf);
	return same;
}

/* Moves a file from the temporary folder to the shared cache.  Frees `to`. */
static bool
publish(const char *from, char *to)
{
	char *slash;
	bool ok = false;

	if (to != NULL) {
		slash = strrchr(to, '/');
		*slash = '\0';
		ok = make_folder(to);
		*slash = '/';
		ok = ok && rename(from, to) == 0;
	}
	free(to);
	return ok;
}

static enum cp_fetched
publish_if_right(const struct cp_fetcher *f, int fd, const char *path,
    const struct cp_dbg_id *id, enum cp_dbg_kind kind, uint64_t *size)
{
	enum cp_fetched r = CP_FETCHED;

	if (!has_id(fd, id, size))
		r = CP_FETCH_WRONG;
	else if (!publish(path, cp_dbgcache_path(f->root, id, kind)))
		r = CP_FETCH_NOT_KEPT;
	if (r != CP_FETCHED)
		(void)unlink(path);
	close(fd);
	return r;
}

/* Stops asking a server that is unreachable. */
static void
judge_server(struct cp_fetcher *f, enum cp_fetched r)
{
	if (r == CP_FETCH_FAILED || r == CP_FETCH_TOO_SLOW)
		atomic_fetch_add(&f->failures, 1);
	else if (r == CP_FETCHED || r == CP_FETCH_UNKNOWN) {
		atomic_store(&f->failures, 0);
		atomic_store(&f->answered, true);
	}
	if (atomic_load(&f->failures) >=
	    (atomic_load(&f->answered) ? CP_FETCH_FAILURES : 1))
		atomic_store(&f->stop, true);
}

static bool
begin_transfer(struct cp_fetch_client *k)
{
	if (cp_fetcher_stopped(k->f))
		return false;
	k->counted = 0;
	k->seen = -1;
	k->moved = now();
	k->why = CP_FETCHED;
	current = k;
	return true;
}

enum cp_fetched
cp_fetch(struct cp_fetch_client *k, const struct cp_dbg_id *id,
    enum cp_dbg_kind kind, uint64_t *size)
{
	struct cp_fetcher *f = k->f;
	char *path = NULL;
	enum cp_fetched r;
	int fd;

	*size = 0;
	if (!begin_transfer(k))
		return CP_FETCH_STOPPED;
	fd = f->lib.find[kind](k->c, id->id, id->size, &path);
	r = fd >= 0 ? publish_if_right(f, fd, path, id, kind, size)
		    : result_of(k, fd);
	if (*size > k->counted)
		atomic_fetch_add(&f->bytes, *size - k->counted);
	free(path);
	judge_server(f, r);
	return r;
}

enum cp_fetched
cp_fetch_source(
    struct cp_fetch_client *k, const struct cp_dbg_id *id, const char *file)
{
	struct cp_fetcher *f = k->f;
	char *path = NULL;
	enum cp_fetched r;
	int fd;

	if (f->lib.source == NULL)
		return CP_FETCH_UNKNOWN;
	if (!begin_transfer(k))
		return CP_FETCH_STOPPED;
	fd = f->lib.source(k->c, id->id, id->size, file, &path);
	r = fd >= 0 ? CP_FETCHED : result_of(k, fd);
	if (fd >= 0 && !publish(path, cp_dbgcache_source(f->root, id, file)))
		r = CP_FETCH_NOT_KEPT;
	if (fd >= 0)
		close(fd);
	free(path);
	judge_server(f, r);
	return r;
}

struct cp_fetch_client *
cp_fetch_client_new(struct cp_fetcher *f)
{
	struct cp_fetch_client *k = cp_xcalloc(1, sizeof(*k));

	k->f = f;
	k->c = f->lib.begin();
	if (k->c == NULL) {
		free(k);
		return NULL;
	}
	f->lib.progress(k->c, on_progress);
	return k;
}

void
cp_fetch_client_free(struct cp_fetch_client *k)
{
	if (k != NULL)
		k->f->lib.end(k->c);
	free(k);
}
