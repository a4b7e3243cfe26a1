/* SPDX-License-Identifier: MIT */
/*
 * analyses/stat/counts.h: the tables of what perf stat counted.
 */
#ifndef CP_ANALYSES_STAT_COUNTS_H
#define CP_ANALYSES_STAT_COUNTS_H

#include <coldperf/plugin.h>

/* What has rows of its own. */
enum cp_counts_by {
	CP_COUNTS_TOTAL,
	CP_COUNTS_CPU,
	CP_COUNTS_CORE,
	CP_COUNTS_SOCKET,
	CP_COUNTS_THREAD,
};

/* How perf stat itself would show them. */
enum cp_counts_by cp_counts_usual(struct cp_run *);
/*
 * Adds a table of the sums, and one of the intervals if there are several and
 * that is wanted.  Notes what could not be counted all the time.
 */
void cp_counts_show(
    struct cp_run *, struct cp_report *, enum cp_counts_by, bool intervals);
/* An event's sum over all CPUs and threads; texts are copied. */
struct cp_count {
	char event[128], unit[16], of[32];
	double count;  /* in the unit; NAN: not counted */
	double metric; /* NAN: none */
	double counted;
};
/* Fills at most n; returns how many there are. */
size_t cp_counts_totals(struct cp_run *, struct cp_count *, size_t n);
/* For the overview: adds the sums; false: nothing was counted. */
bool cp_counts_sums(struct cp_run *, struct cp_report *);

#endif
