/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"

#include <inttypes.h>

#include "cli/progress.h"
#include "run/api.h"

struct merging {
	struct cp_cli *cli;
	struct cp_merger *m;
	cp_merging_tasks tasks;
	void *ctx;
};

/* Analyses begin when the events of the first capture are known. */
static int
read_opened(struct merging *g, struct cp_run *part, bool first)
{
	cp_merge_events_new(g->m, part);
	if (first && g->tasks(g->ctx, &g->m->all) != CP_OK)
		return CP_FAIL;
	if (cp_merge_watch(g->m, part) != CP_OK ||
	    cp_progress_read(g->cli, part) != CP_OK)
		return CP_FAIL;
	return cp_merge_take(g->m, part);
}

/*
 * Reads one capture.  Its files may be next to it, so its folder is searched.
 */
static int
read_one(struct merging *g, const char *path, bool first)
{
	struct cp_cli *cli = g->cli;
	struct cp_run part = { 0 };
	int status;

	cli->diags.at_input = cli->run.capture = path;
	status = cp_run_open(&part, &cli->run, &cli->diags, path);
	if (status == CP_OK)
		status = read_opened(g, &part, first);
	cp_run_close(&part);
	cli->diags.at_input = NULL;
	return status;
}

int
cp_merging_read(
    struct cp_cli *cli, struct cp_merger *m, cp_merging_tasks tasks, void *ctx)
{
	struct merging g = { cli, m, tasks, ctx };
	size_t n = cli->captures.len;

	cli->reading = "several captures";
	for (size_t i = 0; i < n; i++)
		if (read_one(&g, cli->captures.data[i], i == 0) != CP_OK)
			return CP_FAIL;
	cp_merge_over(m);
	if (m->missed != n)
		return CP_OK;
	cp_diag(&cli->diags, CP_D_NO_MATCH, "in none of the captures");
	return CP_FAIL;
}

/* ------------------------------------------------------------ compared ones */

/* What tells one recording from another. */
struct reading {
	uint64_t first, last, samples;
	uint64_t from, to; /* what --time keeps */
};

/* Two windows of one recording that do not overlap are no doubles. */
static bool
is_double(const struct reading *a, const struct reading *b)
{
	return a->first == b->first && a->last == b->last &&
	       a->samples == b->samples && a->from < b->to && b->from < a->to;
}

/* Warns that a capture has what one before it has. */
static void
tell_double(
    struct cp_cli *cli, struct cp_run *run, struct reading *before, size_t n)
{
	const struct cp_quality *q = &run->quality;
	struct reading *r = &before[n];

	*r = (struct reading){ q->first_time, q->last_time, q->samples, 0, 0 };
	cp_run_window(run, &r->from, &r->to);
	for (size_t i = 0; i < n && q->samples != 0 &&
			   q->first_time != CP_NO_TIME && cli->captures.len > 1;
	     i++)
		if (is_double(&before[i], r)) {
			cp_diag(&cli->diags, CP_D_TWICE,
			    "%.200s is the recording of %.200s",
			    cli->captures.data[n], cli->captures.data[i]);
			return;
		}
}

/*
 * Reads the captures of an analysis that compares them.  The n-th --time is for
 * the n-th capture; one capture with several windows is read once for each.
 */
int
cp_comparing_read(struct cp_cli *cli, struct cp_run *run,
    cp_merging_tasks tasks, void *ctx, struct cp_report *rep)
{
	size_t n = CP_MAX(cli->captures.len, cli->run.times.len);
	struct reading *before = cp_xcalloc(n + 1, sizeof(*before));
	int status = CP_OK;

	for (size_t i = 0; i < n && status == CP_OK; i++) {
		const char *path =
		    cli->captures.data[CP_MIN(i, cli->captures.len - 1)];

		if (cli->run.times.len > 1)
			cli->run.time = cli->run.times.data[i];
		cli->reading = cli->diags.at_input = path;
		status = i == 0 ? cp_run_open(run, &cli->run, &cli->diags, path)
				: cp_run_next(run, path);
		if (status == CP_OK && i == 0)
			status = tasks(ctx, run);
		if (status == CP_OK)
			status = cp_progress_read(cli, run);
		if (status == CP_OK)
			status = cp_run_captured(run, (uint32_t)i, rep);
		if (status == CP_OK)
			tell_double(cli, run, before, i);
	}
	free(before);
	cli->diags.at_input = NULL;
	if (status == CP_OK && run->missed == n) {
		cp_diag(&cli->diags, CP_D_NO_MATCH, "in none of the captures");
		status = CP_FAIL;
	}
	return status;
}
