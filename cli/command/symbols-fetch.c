/* SPDX-License-Identifier: MIT */
/*
 * symbols-fetch: worker threads get files, the main thread shows the progress.
 *
 * Ctrl-C ends the fetching, not the program: files that have arrived are kept
 * and reported, and another run gets the rest.
 */
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "cli/command/symbols-fetch.h"
#include "base/elf.h"
#include "symbolize/elf/elf-file.h"
#include "symbolize/debuginfod/misses.h"
#include "base/safe-file.h"

struct item {
	struct cp_wanted *w;
	enum cp_dbg_kind kind;
	/* an item of the same object to be fetched before, or NULL */
	struct item *after;
	enum { OPEN, BEGUN, DONE } state;
};

struct fetching {
	struct cp_fetcher *fetcher;
	CP_VEC(struct item) items; /* executables, then debug information */
	pthread_mutex_t lock;      /* protects the items and the fields below */
	pthread_cond_t ended;      /* signalled when an item has ended */
	/* number of items done, of workers running */
	size_t done, alive;
	struct cp_misses misses;
};

/* Read by the signal handler. */
static struct cp_fetcher *_Atomic running;

static void
on_interrupt(int number)
{
	struct cp_fetcher *f = running;

	(void)number;
	if (f != NULL)
		cp_fetcher_stop(f);
}

/* ------------------------------------------------------------------ workers */

/* True if the object's executable, fetched or present, has symbols. */
static bool
has_symbols(const struct fetching *fetching, const struct cp_wanted *w)
{
	const struct cp_wanted_file *f = &w->file[CP_DBG_EXECUTABLE];
	char *path;
	struct cp_elf elf;
	bool found = false;

	if (!f->asked || f->result != CP_FETCHED)
		return false;
	path = cp_dbgcache_path(
	    cp_fetcher_root(fetching->fetcher), &w->id, CP_DBG_EXECUTABLE);
	if (path != NULL && cp_elf_open(&elf, cp_objfile_open(path))) {
		found = cp_elf_section_of_type(&elf, SHT_SYMTAB) != NULL;
		cp_elf_free(&elf);
	}
	free(path);
	return found;
}

/* Finds the first item that may begin; *wait: one will be ready later. */
static struct item *
choose(const struct fetching *f, bool *wait)
{
	*wait = false;
	for (size_t i = 0; i < f->items.len; i++) {
		struct item *it = &f->items.data[i];

		if (it->state != OPEN)
			continue;
		if (it->after == NULL || it->after->state == DONE)
			return it;
		*wait = true;
	}
	return NULL;
}

/* Returns the next item, waiting if needed; NULL: none is left. */
static struct item *
next_item(struct fetching *f)
{
	struct item *it;
	bool wait;

	pthread_mutex_lock(&f->lock);
	while ((it = choose(f, &wait)) == NULL && wait)
		pthread_cond_wait(&f->ended, &f->lock);
	if (it != NULL)
		it->state = BEGUN;
	pthread_mutex_unlock(&f->lock);
	return it;
}

static void
item_done(struct fetching *f, struct item *i, bool asked, enum cp_fetched r,
    uint64_t size)
{
	struct cp_wanted_file *to = &i->w->file[i->kind];

	pthread_mutex_lock(&f->lock);
	to->asked = asked;
	to->result = r;
	to->size = size;
	f->done++;
	i->state = DONE;
	pthread_cond_broadcast(&f->ended);
	if (asked && r == CP_FETCH_UNKNOWN)
		cp_misses_add(
		    &f->misses, &i->w->id, i->kind, (int64_t)time(NULL));
	pthread_mutex_unlock(&f->lock);
}

static void *
work(void *arg)
{
	struct fetching *f = arg;
	struct cp_fetch_client *k = cp_fetch_client_new(f->fetcher);
	struct item *i;

	while (k != NULL && (i = next_item(f)) != NULL) {
		bool ask = i->kind == CP_DBG_EXECUTABLE || i->w->debug_anyway ||
			   !has_symbols(f, i->w);
		enum cp_fetched r = CP_FETCHED;
		uint64_t size = 0;

		if (ask)
			r = cp_fetch(k, &i->w->id, i->kind, &size);
		item_done(f, i, ask, r, size);
	}
	cp_fetch_client_free(k);
	pthread_mutex_lock(&f->lock);
	f->alive--;
	pthread_mutex_unlock(&f->lock);
	return NULL;
}

/* ----------------------------------------------------------------- progress */

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void
show(struct fetching *f, double start)
{
	double mib = (double)cp_fetcher_bytes(f->fetcher) / (1 << 20);
	double t = now() - start;

	fprintf(stderr, "\r%zu of %zu files  %.1f MiB  %.1f MiB/s  %.0f s ",
	    f->done, f->items.len, mib, t > 0 ? mib / t : 0, t);
}

/* Shows the progress until the workers have ended. */
static void
watch(struct fetching *f, const struct cp_cli *cli)
{
	const struct timespec pause = { .tv_nsec = 20000000 };
	bool wanted = cli->progress == CP_ALWAYS ||
		      (cli->progress == CP_AUTO && isatty(STDERR_FILENO));
	double start = now(), last = start;
	bool shown = false, busy = true;

	while (busy) {
		nanosleep(&pause, NULL);
		pthread_mutex_lock(&f->lock);
		busy = f->alive != 0;
		if (wanted && now() - last >= 0.2) {
			show(f, start);
			last = now();
			shown = true;
		}
		pthread_mutex_unlock(&f->lock);
	}
	if (shown)
		fprintf(stderr, "\r\033[K");
}

/* -------------------------------------------------------------------- all */

static void
run_workers(struct fetching *f, const struct cp_cli *cli)
{
	struct sigaction new = { .sa_handler = on_interrupt,
		.sa_flags = (int)SA_RESETHAND },
			 old;
	pthread_t worker[CP_FETCH_THREADS];
	size_t n = CP_MIN(f->items.len, CP_FETCH_THREADS), started = 0;

	f->alive = n;
	running = f->fetcher;
	sigaction(SIGINT, &new, &old);
	while (
	    started < n && pthread_create(&worker[started], NULL, work, f) == 0)
		started++;
	pthread_mutex_lock(&f->lock);
	f->alive -= n - started;
	pthread_mutex_unlock(&f->lock);
	watch(f, cli);
	while (started > 0)
		pthread_join(worker[--started], NULL);
	sigaction(SIGINT, &old, NULL);
	running = NULL;
}

/*
 * Collects items, executables first; debug information waits for the executable
 * of its object.
 */
static void
collect(struct fetching *f, struct cp_wanted *wanted, size_t n, bool retry)
{
	size_t *first = cp_xcalloc(n, sizeof(*first));

	/* Items point to each other, so the array must not move. */
	cp_vec_reserve(&f->items, n * CP_DBG_KINDS);
	for (int k = 0; k < CP_DBG_KINDS; k++)
		for (size_t i = 0; i < n; i++) {
			struct cp_wanted *w = &wanted[i];

			if (!w->has_id || !w->file[k].wanted ||
			    (w->file[k].missed && !retry))
				continue;
			*cp_vec_push(&f->items) = (struct item){ .w = w,
				.kind = (enum cp_dbg_kind)k,
				.after = first[i] != 0
					     ? &f->items.data[first[i] - 1]
					     : NULL };
			first[i] = f->items.len;
		}
	free(first);
}

/* Updates the budget, and returns whether any file came. */
static bool
settle(const struct fetching *f, double start, struct cp_fetch_budget *left)
{
	uint64_t bytes = cp_fetcher_bytes(f->fetcher);
	double took = now() - start;
	bool came = false;

	left->bytes -= CP_MIN(left->bytes, bytes);
	left->seconds -= (unsigned)CP_MIN((double)left->seconds, took);
	for (size_t i = 0; i < f->items.len; i++) {
		const struct item *it = &f->items.data[i];
		const struct cp_wanted_file *w = &it->w->file[it->kind];

		came |= w->asked && w->result == CP_FETCHED;
	}
	return came && left->bytes != 0 && left->seconds != 0 &&
	       !cp_fetcher_stopped(f->fetcher);
}

/* Reports the files that ended in this way: once, with the first of them. */
static void
complain_of(struct cp_cli *cli, const struct fetching *f, enum cp_fetched r)
{
	const struct item *first = NULL;
	size_t n = 0;

	for (size_t i = 0; i < f->items.len; i++) {
		const struct item *it = &f->items.data[i];
		const struct cp_wanted_file *w = &it->w->file[it->kind];

		if (!w->asked || w->result != r)
			continue;
		first = n++ == 0 ? it : first;
	}
	if (n == 1)
		cp_diag(&cli->diags, CP_D_NOT_FETCHED, "%s %s: %s",
		    cp_dbg_kind_names[first->kind], first->w->id.hex,
		    cp_fetched_words[r]);
	else if (n != 0)
		cp_diag(&cli->diags, CP_D_NOT_FETCHED,
		    "%zu files, the first %s %s: %s", n,
		    cp_dbg_kind_names[first->kind], first->w->id.hex,
		    cp_fetched_words[r]);
}

/* Files that failed for another reason than that no server has them. */
static void
complain(struct cp_cli *cli, const struct fetching *f)
{
	size_t asked = 0, wrong = 0;

	for (int r = CP_FETCH_WRONG; r <= CP_FETCH_NOT_KEPT; r++)
		complain_of(cli, f, (enum cp_fetched)r);
	for (size_t i = 0; i < f->items.len; i++) {
		const struct item *it = &f->items.data[i];
		const struct cp_wanted_file *w = &it->w->file[it->kind];

		asked += w->asked;
		wrong += w->asked && w->result == CP_FETCH_WRONG;
	}
	if (wrong != 0 && wrong == asked)
		cp_diag(&cli->diags, CP_D_NO_DATA,
		    "the servers sent %zu file%s, all of another build: check "
		    "DEBUGINFOD_URLS",
		    wrong, cp_s(wrong));
}

int
cp_fetch_wanted(struct cp_cli *cli, struct cp_wanted *wanted, size_t n,
    struct cp_fetch_budget *left, bool *more)
{
	struct fetching f = { .lock = PTHREAD_MUTEX_INITIALIZER,
		.ended = PTHREAD_COND_INITIALIZER };
	double start = now();
	const char *why;

	*more = false;
	f.fetcher = cp_fetcher_new(left, &why);
	if (f.fetcher == NULL) {
		cp_diag(&cli->diags, CP_D_NOT_FETCHED, "%s", why);
		return CP_FAIL;
	}
	cp_misses_load(
	    &f.misses, getenv("DEBUGINFOD_URLS"), (int64_t)time(NULL));
	collect(&f, wanted, n, cli->fetch.retry);
	if (f.items.len != 0)
		run_workers(&f, cli);
	complain(cli, &f);
	*more = settle(&f, start, left);
	cp_misses_save(&f.misses);
	cp_fetcher_free(f.fetcher);
	cp_vec_free(&f.items);
	return CP_OK;
}
