/* SPDX-License-Identifier: MIT */
/*
 * analyses/tasks/cpus.h: what each CPU runs.
 */
#ifndef CP_ANALYSES_TASKS_CPUS_H
#define CP_ANALYSES_TASKS_CPUS_H

#include "analyses/tasks/task-state.h"

/* Runs on an idle CPU. */
#define CP_THREAD_IDLE (CP_NO_ID - 1)

struct cp_sched_cpu {
	uint64_t last;         /* time of its last event; 0: none yet */
	uint64_t known;        /* since when all its switches were recorded */
	uint32_t current;      /* thread, CP_THREAD_IDLE or CP_NO_ID */
	uint64_t current_last; /* when that was last seen running */
};

/* NULL: not told. */
struct cp_sched_cpu *cp_cpu_get(struct cp_taskstate *, uint32_t cpu);

/* Index of who runs on a CPU; CP_NO_ID: nobody, or not known. */
uint32_t cp_taskstate_running(const struct cp_taskstate *, uint32_t cpu);

#endif
