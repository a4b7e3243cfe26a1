/* SPDX-License-Identifier: MIT */
/* runs/trend.h: the share of a function over runs, and where it changed. */
#ifndef CP_RUNS_TREND_H
#define CP_RUNS_TREND_H

#include "runs/runs.h"

struct cp_trend_point {
	const struct cp_run_kept *run;
	double share, lo, hi; /* with all it calls; the 95 % interval */
	bool known;           /* the run has a list of functions */
	bool changed;         /* from what was before, beyond the intervals */
};

struct cp_trend {
	CP_VEC(struct cp_trend_point) points;
	bool met; /* some run has a function of that name */
};

/*
 * Looks the function up in functions.csv of each run, as hotspots --children
 * wrote it; a run without it has a share of 0.
 */
void cp_trend_read(struct cp_trend *, struct cp_runs *, const char *function);
void cp_trend_text(const struct cp_trend *, struct cp_buf *);
void cp_trend_svg(const struct cp_trend *, const char *title, struct cp_buf *);
void cp_trend_free(struct cp_trend *);

#endif
