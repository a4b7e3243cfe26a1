/* SPDX-License-Identifier: MIT */
/*
 * analyses/tasks/forget.h: makes threads and CPUs unknown.
 */
#ifndef CP_ANALYSES_TASKS_FORGET_H
#define CP_ANALYSES_TASKS_FORGET_H

#include "analyses/tasks/cpus.h"

/*
 * Makes the thread of a CPU unknown; the thread that ran there did so until it
 * was last seen.
 */
void cp_cpu_forget(struct cp_taskstate *, struct cp_sched_cpu *);
/* Makes a thread unknown that was assumed to run on another CPU. */
void cp_thread_forget(struct cp_taskstate *, struct cp_sched_thread *);
/*
 * Handles a LOST record: of the event's CPU, or of any CPU if the record has
 * none.
 */
void cp_forget_lost(struct cp_taskstate *, const struct cp_sched_event *);
/* Counts records that were lost; without a time: all of the recording. */
void cp_forget_count(struct cp_taskstate *, const struct cp_sched_event *);
/*
 * Handles losses for which no LOST record with a time came: they are at the end
 * of the capture.
 */
void cp_forget_untold(struct cp_taskstate *);

#endif
