/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"

#include "cli/progress.h"

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
