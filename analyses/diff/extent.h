/* SPDX-License-Identifier: MIT */
/*
 * analyses/diff/extent.h: whether a capture is a command from its begin to its
 * end, or a window of something that went on.
 */
#ifndef CP_ANALYSES_DIFF_EXTENT_H
#define CP_ANALYSES_DIFF_EXTENT_H

#include <coldperf/plugin.h>

enum cp_diff_extent {
	CP_DIFF_UNKNOWN,
	CP_DIFF_COMMAND, /* a workload on perf's command line */
	CP_DIFF_WINDOW,  /* of all CPUs, a process, or --time */
};

/* Of the capture at hand; cpus: that were observed, 0: as processes went. */
enum cp_diff_extent cp_diff_extent_of(struct cp_run *, double *cpus);
/* Of a recorder's command line; all_cpus: the whole system is observed. */
enum cp_diff_extent cp_diff_extent_of_command(
    const char *command, bool *all_cpus);

#endif
