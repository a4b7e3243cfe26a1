/* SPDX-License-Identifier: MIT */
/*
 * analyses/common/parallel.h: how many threads ran at once, by samples alone.
 *
 * In a window of some sampling intervals each thread that runs has its samples,
 * so their number tells how many ran.  A sample counts its interval divided by
 * that: what ran alone counts in full.  perf calls this latency.
 */
#ifndef CP_ANALYSES_COMMON_PARALLEL_H
#define CP_ANALYSES_COMMON_PARALLEL_H

#include <coldperf/plugin.h>

struct cp_parallel {
	struct cp_run *run;
	struct cp_tally *alone_at; /* 0, stack: ns of one thread alone */
	uint32_t event;            /* CP_NO_ID: none yet */
	double interval;           /* ns of a sample */
	uint64_t begin, width;     /* of the window, ns */
	cp_stack_id *window;       /* its samples */
	uint32_t n, cap;
	uint32_t *tid;    /* of each */
	uint64_t elapsed; /* time of all windows, ns */
	uint64_t alone;   /* of it: one thread ran */
	uint64_t several; /* of it: more than one */
	double busy;      /* time of all threads, ns */
};

/*
 * Counts a sample of a thread at work.  Only the first event that has a known
 * interval is counted; captures that are added up have no common time.
 */
void cp_parallel_sample(struct cp_parallel *, const struct cp_sample *);
/* Ends the last window; false: it is not known how many threads ran. */
bool cp_parallel_end(struct cp_parallel *, uint32_t event);

#endif
