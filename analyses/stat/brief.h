/* SPDX-License-Identifier: MIT */
/*
 * analyses/stat/brief.h: what perf stat counted, for `report`.
 */
#ifndef CP_ANALYSES_STAT_BRIEF_H
#define CP_ANALYSES_STAT_BRIEF_H

#include <coldperf/plugin.h>

/* Adds the sums, as perf stat was asked for them.  False: nothing was counted.
 */
bool cp_counts_brief(struct cp_run *, struct cp_report *);

#endif
