/* SPDX-License-Identifier: MIT */
/*
 * Fetches with the library, whose own limits are not enough: it remembers a
 * cancelled transfer as a miss, and waits three times for a silent server.
 *
 * So it gets a temporary cache folder, is told to try once, and is stopped by
 * its progress callback.
 */
#include "symbolize/debuginfod/client.h"

#include <errno.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/library.h"
#include "base/limits.h"
#include "model/dso.h"
#include "symbolize/debuginfod/answers.h"
#include "symbolize/debuginfod/stage.h"
#include "symbolize/elf/elf-file.h"
#include "base/safe-file.h"

#define LIBRARY "libdebuginfod.so.1"

const char *const cp_fetched_words[] = { "fetched", "not known to a server",
	"wrong content", "cut or damaged", "server error", "over the budget",
	"too slow", "stopped", "server not reached", "cannot be stored" };

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
	void (*log)(client *, int); /* NULL: it logs no answers */
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
	/* why servers are asked no more; CP_FETCHED: they are */
	atomic_int given_up;
	int copy; /* where the library's log is shown; -1: nowhere */
};

struct cp_fetch_client {
	struct cp_fetcher *f;
	client *c;
	int log;          /* of the library; -1: none */
	uint64_t counted; /* bytes of this transfer that f->bytes includes */
	long seen;        /* bytes reported by the last callback */
	double moved;     /* time when `seen` last changed */
	/* bytes and time when the rate was measured last */
	long measured;
	double since;
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
	l->handle = cp_library_open(LIBRARY);
	if (l->handle != NULL) {
		void (*since)(void);

		(void)FIND(l, "debuginfod_find_source", l->source);
		/* Status lines are in the log since the same version. */
		if (FIND(l, "debuginfod_get_headers", since))
			(void)FIND(l, "debuginfod_set_verbose_fd", l->log);
	}
	return l->handle != NULL && FIND(l, "debuginfod_begin", l->begin) &&
	       FIND(l, "debuginfod_end", l->end) &&
	       FIND(l, "debuginfod_find_executable",
		   l->find[CP_DBG_EXECUTABLE]) &&
	       FIND(
		   l, "debuginfod_find_debuginfo", l->find[CP_DBG_DEBUGINFO]) &&
	       FIND(l, "debuginfod_set_progressfn", l->progress);
}

/* ------------------------------------------------------------ the fetcher */

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

struct cp_fetcher *
cp_fetcher_new(const struct cp_fetch_budget *budget, const char **why)
{
	const char *urls = getenv("DEBUGINFOD_URLS");
	struct cp_fetcher *f = cp_xcalloc(1, sizeof(*f));
	const char *text;
	unsigned long n;

	f->budget = *budget;
	f->end = now() + budget->seconds;
	/* The user's timeout may only extend the silence within the budget. */
	text = getenv("DEBUGINFOD_TIMEOUT");
	n = text != NULL ? strtoul(text, NULL, 10) : 0;
	if (n != 0 && n < 100000)
		f->budget.silence = (unsigned)n;
	f->budget.silence =
	    CP_MAX(CP_MIN(f->budget.silence, f->budget.seconds), 1u);
	f->root = cp_dbgcache_root();
	/* What the library would do, if its log were not read here. */
	f->copy = getenv("DEBUGINFOD_VERBOSE") != NULL ? STDERR_FILENO : -1;
	*why = NULL;
	if (urls == NULL || urls[strspn(urls, " ")] == '\0')
		*why = "DEBUGINFOD_URLS names no server";
	else if (!library_load(&f->lib))
		*why = CP_LIBRARY_MISSING(LIBRARY);
	else if ((f->stage = cp_stage_new(f->root)) == NULL)
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
		cp_stage_free(f->stage);
		setenv("DEBUGINFOD_CACHE_PATH", f->root, 1);
	}
	/* Does not unload the library: curl's threads may still run. */
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

/* What is asked no more has the reason of the file that ended the asking. */
static enum cp_fetched
why_stopped(struct cp_fetcher *f)
{
	int why = atomic_load(&f->given_up);

	return why != CP_FETCHED ? (enum cp_fetched)why : CP_FETCH_STOPPED;
}

/*
 * Bytes a second that a server must send.  With a slower one the time for all
 * files, 600 s, is not enough for one of them.
 */
#define CP_FETCH_LEAST_RATE 1024.0

/*
 * A server may send a byte now and then for ever.  After each time in which it
 * must not be silent, it must have sent a rate's worth of bytes.
 */
static bool
is_dripping(struct cp_fetch_client *k, long done)
{
	double took = now() - k->since;
	bool slow = (double)(done - k->measured) < took * CP_FETCH_LEAST_RATE;

	if (took <= k->f->budget.silence)
		return false;
	k->measured = done;
	k->since = now();
	return slow;
}

static enum cp_fetched
reason_to_stop(struct cp_fetch_client *k, long done, long total)
{
	struct cp_fetcher *f = k->f;
	uint64_t all = atomic_load(&f->bytes);

	if (cp_fetcher_stopped(f))
		return why_stopped(f);
	if (done != k->seen) {
		k->seen = done;
		k->moved = now();
	}
	if (now() - k->moved > k->f->budget.silence || is_dripping(k, done))
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

/* The result by the answers; UNKNOWN: nothing contradicts that. */
static enum cp_fetched
result_by_answers(const struct cp_answers *a)
{
	if (a->errors != 0 || (a->heard != 0 && a->unknown == 0 && !a->begun))
		return CP_FETCH_ERROR;
	if (a->begun)
		return CP_FETCH_DAMAGED;
	return a->unknown < a->servers ? CP_FETCH_FAILED : CP_FETCH_UNKNOWN;
}

static enum cp_fetched
result_of(
    const struct cp_fetch_client *k, int error, const struct cp_answers *a)
{
	enum cp_fetched r = result_by_answers(a);

	if (k->why != CP_FETCHED)
		return k->why;
	switch (error) {
	case -ENOENT: return r;
	case -ENOSYS: return CP_FETCH_UNKNOWN;
	case -EFBIG: return CP_FETCH_TOO_LARGE;
	case -ETIME:
	case -ETIMEDOUT: return CP_FETCH_TOO_SLOW;
	case -EIO: /* its own word for a full disk */
	case -ENOSPC:
	case -EACCES:
	case -EROFS: return CP_FETCH_NOT_KEPT;
	default: return r == CP_FETCH_UNKNOWN ? CP_FETCH_FAILED : r;
	}
}

/* The build ID is near the beginning: a file that was cut may have it, too. */
static enum cp_fetched
verify(int fd, const struct cp_dbg_id *id, uint64_t *size)
{
	enum cp_fetched r = CP_FETCHED;
	struct cp_elf elf;
	struct stat st;
	int copy = dup(fd);

	if (copy < 0 || fstat(fd, &st) != 0 || !cp_elf_open(&elf, copy))
		return CP_FETCH_WRONG;
	*size = (uint64_t)st.st_size;
	if (!cp_build_id_equal(
		elf.build_id, elf.build_id_size, id->id, id->size))
		r = CP_FETCH_WRONG;
	else if (cp_elf_damage(&elf) != NULL)
		r = CP_FETCH_DAMAGED;
	cp_elf_free(&elf);
	return r;
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
		ok = cp_stage_folder(to);
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
	enum cp_fetched r = verify(fd, id, size);

	if (r == CP_FETCHED &&
	    !publish(path, cp_dbgcache_path(f->root, id, kind)))
		r = CP_FETCH_NOT_KEPT;
	if (r != CP_FETCHED)
		(void)unlink(path);
	close(fd);
	return r;
}

/* Stops asking servers none of which can be reached. */
static void
judge_servers(struct cp_fetcher *f, enum cp_fetched r, bool heard)
{
	if (r == CP_FETCHED || r == CP_FETCH_UNKNOWN || heard)
		atomic_store(&f->answered, true);
	if (r == CP_FETCH_TOO_SLOW || (r == CP_FETCH_FAILED && !heard))
		atomic_fetch_add(&f->failures, 1);
	else if (r == CP_FETCHED || r == CP_FETCH_UNKNOWN || heard)
		atomic_store(&f->failures, 0);
	if (atomic_load(&f->failures) >=
	    (atomic_load(&f->answered) ? CP_FETCH_FAILURES : 1)) {
		atomic_store(&f->given_up, (int)r);
		atomic_store(&f->stop, true);
	}
}

static bool
begin_transfer(struct cp_fetch_client *k)
{
	if (cp_fetcher_stopped(k->f))
		return false;
	k->counted = 0;
	k->seen = -1;
	k->moved = k->since = now();
	k->measured = 0;
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
	struct cp_answers a;
	enum cp_fetched r;
	int fd;

	*size = 0;
	if (!begin_transfer(k))
		return why_stopped(f);
	fd = f->lib.find[kind](k->c, id->id, id->size, &path);
	a = cp_answers_read(k->log, k->f->copy);
	r = fd >= 0 ? publish_if_right(f, fd, path, id, kind, size)
		    : result_of(k, fd, &a);
	if (*size > k->counted)
		atomic_fetch_add(&f->bytes, *size - k->counted);
	free(path);
	judge_servers(f, r, a.heard != 0);
	return r;
}

static bool
has_size(int fd, uint64_t size)
{
	struct stat st;

	return fstat(fd, &st) == 0 && (uint64_t)st.st_size == size;
}

enum cp_fetched
cp_fetch_source(
    struct cp_fetch_client *k, const struct cp_dbg_id *id, const char *file)
{
	struct cp_fetcher *f = k->f;
	char *path = NULL;
	struct cp_answers a;
	enum cp_fetched r;
	int fd;

	if (f->lib.source == NULL)
		return CP_FETCH_UNKNOWN;
	if (!begin_transfer(k))
		return why_stopped(f);
	fd = f->lib.source(k->c, id->id, id->size, file, &path);
	a = cp_answers_read(k->log, k->f->copy);
	r = fd >= 0 ? CP_FETCHED : result_of(k, fd, &a);
	if (fd >= 0 && a.size != 0 && !has_size(fd, a.size))
		r = CP_FETCH_DAMAGED;
	else if (fd >= 0 &&
		 !publish(path, cp_dbgcache_source(f->root, id, file)))
		r = CP_FETCH_NOT_KEPT;
	if (fd >= 0)
		close(fd);
	free(path);
	judge_servers(f, r, a.heard != 0);
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
	k->log = f->lib.log != NULL ? cp_answers_log() : -1;
	if (k->log >= 0)
		f->lib.log(k->c, k->log);
	return k;
}

void
cp_fetch_client_free(struct cp_fetch_client *k)
{
	if (k == NULL)
		return;
	k->f->lib.end(k->c);
	if (k->log >= 0)
		close(k->log);
	free(k);
}
