/* SPDX-License-Identifier: MIT */
/*
 * analyses/tasks/forget.h: makes threads and CPUs unknown.
 */
#ifndef CP_ANALYSES_TASKS_FORGET_H
#define CP_ANALYSES_TASKS_FORGET_H

#include "analyses/tasks/cpus.h"

/* What the CPU runs is not known; its thread ran until it was last seen. */
void cp_cpu_forget(struct cp_taskstate *, struct cp_sched_cpu *);
/* The thread was assumed to run on another CPU. */
void cp_thread_forget(struct cp_taskstate *, struct cp_sched_thread *);
/* Records were lost: of the event's CPU, or of any if it was not told. */
void cp_forget_lost(struct cp_taskstate *, const struct cp_sched_event *);
/* Counts records that were lost; without a time: all of the recording. */
void cp_forget_count(struct cp_taskstate *, const struct cp_sched_event *);
/* Records were lost that no record with a time told: they were the last. */
void cp_forget_untold(struct cp_taskstate *);

#endif
