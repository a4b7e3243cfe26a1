/* SPDX-License-Identifier: MIT */
/*
 * run/merge/gather.h: the samples of one capture, held until all of it was
 * read and named.
 */
#ifndef CP_RUN_MERGE_GATHER_H
#define CP_RUN_MERGE_GATHER_H

#include <coldperf/plugin.h>

#include "base/vec.h"

struct cp_gathered {
	uint64_t time, weight, cgroup;
	uint32_t stack, pid, tid, cpu, evsel, comm, unwound_dso;
	uint8_t level, unwound;
};

struct cp_gather {
	CP_VEC(struct cp_gathered) all;
	uint64_t left_out; /* beyond CP_MAX_GATHERED */
};

/* The analysis' state: where its samples go. */
struct cp_gather_state {
	struct cp_gather *to;
};

extern const struct cp_analysis cp_gather_analysis;

#endif
