/* SPDX-License-Identifier: MIT */
/*
 * analyses/tasks/task-groups.h: the control group of each thread, by its
 * samples (perf record --all-cgroups).
 */
#ifndef CP_ANALYSES_TASKS_TASK_GROUPS_H
#define CP_ANALYSES_TASKS_TASK_GROUPS_H

#include <coldperf/spans.h>

struct cp_task_groups {
	struct cp_run *run;
	const struct cp_spans *spans;
	uint64_t *of; /* by index of the thread; 0: not known */
	uint32_t cap;
	bool any;
};

/* Zeroed but for run and spans it is ready.  Takes each sample. */
void cp_task_groups_sample(struct cp_task_groups *, const struct cp_sample *);
/* Returns the last group of a thread; 0: not known. */
static inline uint64_t
cp_task_group(const struct cp_task_groups *g, uint32_t thread)
{
	return thread < g->cap ? g->of[thread] : 0;
}

#endif
