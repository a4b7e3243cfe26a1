/* SPDX-License-Identifier: MIT */
/* capture/cost.h: what a recording takes of the host's CPUs. */
#ifndef CP_CAPTURE_COST_H
#define CP_CAPTURE_COST_H

#include <sys/types.h>

#include "base/base.h"

/* A moment of the host and of perf. */
struct cp_cost_mark {
	uint64_t ns;       /* of the clock */
	uint64_t perf;     /* ns on the CPU, of perf */
	uint64_t busy;     /* ns on CPUs, of what is recorded */
	uint64_t switches; /* of threads */
};

/*
 * What is recorded are processes, by commas, with the children they waited for;
 * NULL: all.
 */
struct cp_cost_mark cp_cost_mark(pid_t perf, const char *pids);
/* Returns the ns that the kernel takes for a sample, measured on this thread.
 */
double cp_cost_sample(bool graph, uint32_t stack);
/*
 * Returns the part of a CPU that was taken between two moments: perf's own
 * time, and that of the samples.
 */
double cp_cost_between(const struct cp_cost_mark *, const struct cp_cost_mark *,
    unsigned frequency, bool switches, double ns_of_sample);

#endif
