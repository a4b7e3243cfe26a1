/* SPDX-License-Identifier: MIT */
#include "cli/progress.h"

#include <time.h>
#include <unistd.h>

#include "run/api.h"

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

static void
show(void *ctx, const struct cp_quality *q)
{
	struct progress *p = ctx;
	double t, done = (double)(q->bytes_parsed + q->bytes_skipped);
	double rate;

	t = now();
	if (t - p->start < 1 || t - p->last < 0.1)
		return;
	p->last = t;
	p->shown = true;
	rate = done / (t - p->start);
	if (q->bytes_total != 0)
		fprintf(stderr, "\r%3.0f %%  %.0f MiB/s  %.0f s to go ",
		    100 * done / (double)q->bytes_total, rate / (1 << 20),
		    ((double)q->bytes_total - done) / rate);
	else
		fprintf(stderr, "\r%.0f MiB  %.0f MiB/s ", done / (1 << 20),
		    rate / (1 << 20));
}

int
cp_progress_read(struct cp_cli *cli, struct cp_run *run)
{
	bool wanted = cli->progress == CP_ALWAYS ||
		      (cli->progress == CP_AUTO && isatty(STDERR_FILENO));
	double start = now();
	struct progress p = { .start = start, .last = start };
	int status;

	cli->run.progress = wanted ? show : NULL;
	cli->run.progress_ctx = &p;
	status = cp_run_read(run);
	cli->run.progress = NULL;
	if (p.shown)
		fprintf(stderr, "\r\033[K");
	return status;
}
