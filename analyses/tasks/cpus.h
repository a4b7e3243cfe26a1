/* SPDX-License-Identifier: MIT */
/*
 * analyses/tasks/cpus.h: what each CPU runs.
 */
#ifndef CP_ANALYSES_TASKS_CPUS_H
#define CP_ANALYSES_TASKS_CPUS_H

#include "analyses/tasks/task-state.h"

/* Stands for the thread of an idle CPU. */
#define CP_THREAD_IDLE (CP_NO_ID - 1)

struct cp_sched_cpu {
	uint64_t last; /* time of its last event; 0: none yet */
	/* Neighbours in the order of last; CP_NO_ID: none. */
	uint32_t older, newer;
	/* losses on unknown CPUs that were applied to it */
	uint32_t losses_anywhere;
	/* all of its switches since then were recorded */
	uint64_t known;
	uint32_t current;      /* thread, CP_THREAD_IDLE or CP_NO_ID */
	uint64_t current_last; /* when that was last seen running */
	/*
	 * Number of records lost: the sum of LOST records, and the count that
	 * the kernel gave when the recording ended.
	 */
	uint64_t lost_told, lost_counted;
};

/* Makes room for a CPU; for cp_cpu_get(). */
void cp_cpus_grow(struct cp_taskstate *, uint32_t cpu);

/* Returns NULL if the event has no CPU.  Called several times an event. */
static inline struct cp_sched_cpu *
cp_cpu_get(struct cp_taskstate *ts, uint32_t cpu)
{
	if (cpu >= CP_SCHED_CPUS)
		return NULL;
	if (cpu >= ts->n_cpus)
		cp_cpus_grow(ts, cpu);
	return &ts->cpu[cpu];
}

/* The CPU has an event now: after cp_cpu_get(), before the event counts. */
void cp_cpu_wake(struct cp_taskstate *, struct cp_sched_cpu *);
/* The event is its last one. */
void cp_cpu_seen(struct cp_taskstate *, struct cp_sched_cpu *, uint64_t time);

#endif
