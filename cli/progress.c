/* SPDX-License-Identifier: MIT */
#include "cli/progress.h"

#include <time.h>
#include <unistd.h>

enum { RECORDS = 1 << 16 };

static double
now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

void
cp_progress_begin(struct cp_progress *p, const struct cp_cli *cli)
{
	*p = (struct cp_progress){ .countdown = RECORDS };
	p->wanted = cli->progress == CP_ALWAYS ||
		    (cli->progress == CP_AUTO && isatty(STDERR_FILENO));
	p->start = p->last = now();
}

void
cp_progress_now(struct cp_progress *p, const struct cp_quality *q)
{
	double t, done = (double)(q->bytes_parsed + q->bytes_skipped);
	double rate;

	p->countdown = RECORDS;
	if (!p->wanted)
		return;
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

void
cp_progress_end(struct cp_progress *p)
{
	if (p->shown)
		fprintf(stderr, "\r\033[K");
}
