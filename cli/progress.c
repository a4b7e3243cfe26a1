/* SPDX-License-Identifier: MIT */
#include "cli/progress.h"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include "base/archive/read.h"
#include "run/api.h"

#define PATIENCE 1   /* s without a line */
#define INTERVAL 0.1 /* s between two lines */

struct progress {
	bool shown;
	double start, last;
};

static double
now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* Is it time for a line? */
static bool
is_due(struct progress *p)
{
	double t = now();

	if (t - p->start < PATIENCE || t - p->last < INTERVAL)
		return false;
	p->last = t;
	p->shown = true;
	return true;
}

static void
show(const struct progress *p, const char *what, double done, double all)
{
	double rate = done / (p->last - p->start);

	if (all > 0 && rate > 0)
		fprintf(stderr, "\r%s%3.0f %%  %.0f MiB/s  %.0f s to go ", what,
		    100 * done / all, rate / (1 << 20), (all - done) / rate);
	else
		fprintf(stderr, "\r%s%.0f MiB  %.0f MiB/s ", what,
		    done / (1 << 20), rate / (1 << 20));
}

static void
erase(struct progress *p)
{
	if (p->shown)
		fprintf(stderr, "\r\033[K");
	p->shown = false;
}

static bool
is_wanted(const struct cp_cli *cli)
{
	return cli->progress == CP_ALWAYS ||
	       (cli->progress == CP_AUTO && isatty(STDERR_FILENO));
}

/* ---------------------------------------------------------------- archives */

static pthread_mutex_t unpacking_lock = PTHREAD_MUTEX_INITIALIZER;
static struct progress unpacking; /* start == 0: nothing is unpacked */

/* Shows the progress of unpacking; workers may call it, too. */
static void
show_unpacking(uint64_t in, uint64_t of, bool over)
{
	pthread_mutex_lock(&unpacking_lock);
	if (over) {
		erase(&unpacking);
		unpacking.start = 0;
	} else if (unpacking.start <= 0) {
		unpacking.start = unpacking.last = now();
	} else if (is_due(&unpacking)) {
		show(&unpacking, "unpacking ", (double)in, (double)of);
	}
	pthread_mutex_unlock(&unpacking_lock);
}

void
cp_progress_watch(struct cp_cli *cli)
{
	cp_archive_watch(is_wanted(cli) ? show_unpacking : NULL);
}

/* ------------------------------------------------------------- the capture */

static void
show_reading(void *ctx, const struct cp_quality *q)
{
	struct progress *p = ctx;

	if (is_due(p))
		show(p, "", (double)(q->bytes_parsed + q->bytes_skipped),
		    (double)q->bytes_total);
}

int
cp_progress_read(struct cp_cli *cli, struct cp_run *run)
{
	double start = now();
	struct progress p = { .start = start, .last = start };
	int status;

	cli->run.progress = is_wanted(cli) ? show_reading : NULL;
	cli->run.progress_ctx = &p;
	status = cp_run_read(run);
	cli->run.progress = NULL;
	erase(&p);
	return status;
}
