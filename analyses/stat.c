/* SPDX-License-Identifier: MIT */
/*
 * stat: what `perf stat record` counted: sums, intervals, metrics.
 *
 * Values are those of perf stat report: scaled where a counter ran only a part
 * of the time, and in the event's unit.
 */
#include <coldperf/plugin.h>

#include <string.h>

#include "analyses/stat/counts.h"

static const struct {
	const char *name;
	enum cp_counts_by by;
} ways[] = {
	{ "total", CP_COUNTS_TOTAL },
	{ "cpu", CP_COUNTS_CPU },
	{ "core", CP_COUNTS_CORE },
	{ "socket", CP_COUNTS_SOCKET },
	{ "thread", CP_COUNTS_THREAD },
};

static int
stat_begin(struct cp_run *run, void *state)
{
	const char *by = cp_run_option(run, "by");
	enum cp_counts_by *found = state;

	for (size_t i = 0; by != NULL && i < sizeof(ways) / sizeof(*ways); i++)
		if (strcmp(by, ways[i].name) == 0) {
			*found = ways[i].by;
			return CP_OK;
		}
	if (by == NULL)
		return CP_OK;
	cp_run_diag(run, CP_D_USAGE,
	    "--by %s: wanted total, cpu, core, socket or thread", by);
	return CP_FAIL;
}

static int
stat_finish(struct cp_run *run, void *state, struct cp_report *rep)
{
	enum cp_counts_by *by = state;

	if (cp_run_counted(run) == NULL) {
		cp_report_note(rep,
		    "the capture has no counts: `perf stat record` makes some; "
		    "coldperf report shows what was sampled");
		return CP_OK;
	}
	cp_counts_show(run, rep,
	    cp_run_option(run, "by") != NULL ? *by : cp_counts_usual(run),
	    true);
	return CP_OK;
}

static const struct cp_option options[] = {
	{ "by", "KEY", NULL,
	    "rows for each cpu, core, socket or thread; total" },
	{ 0 },
};

CP_ANALYSIS_DEFINE(stat) = {
	.abi = CP_ABI,
	.name = "stat",
	.summary =
	    "what perf stat record counted, over time and by CPU or thread",
	.wants = 0,
	.options = options,
	.state_size = sizeof(enum cp_counts_by),
	.begin = stat_begin,
	.finish = stat_finish,
};
