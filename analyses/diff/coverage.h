/* SPDX-License-Identifier: MIT */
/*
 * analyses/diff/coverage.h: whether a capture covers a command from begin to
 * end, or a window of something that went on.
 */
#ifndef CP_ANALYSES_DIFF_COVERAGE_H
#define CP_ANALYSES_DIFF_COVERAGE_H

#include <coldperf/plugin.h>

enum cp_diff_extent {
	CP_DIFF_UNKNOWN,
	CP_DIFF_COMMAND, /* perf's command line has a workload */
	CP_DIFF_WINDOW,  /* of all CPUs, of a process, or --time was given */
};

struct cp_diff_coverage {
	enum cp_diff_extent extent;
	/* CPUs observed as a whole; 0: processes were followed */
	double cpus;
	double runs; /* of a sum of captures, how many; else 1 */
};

/* Finds what the current capture covers. */
struct cp_diff_coverage cp_diff_coverage_of(struct cp_run *);
/* What a recorder's command line says of the CPUs. */
struct cp_diff_observed {
	bool cpus;        /* they were observed, whatever ran on them */
	const char *list; /* these, as in "0-3,6 ..."; NULL: all */
};
/* Finds the extent, and what was observed, from a recorder's command line. */
enum cp_diff_extent cp_diff_extent_of_command(
    const char *command, struct cp_diff_observed *);

#endif
