/* SPDX-License-Identifier: MIT */
/*
 * analyses/tasks/skew.h: clocks of CPUs that differ.
 *
 * A thread that moves may begin to run on a CPU before it leaves another, if
 * the clock of the first is behind.  The switches of each CPU are consistent by
 * themselves, so both spans are believed; they overlap by the difference.
 */
#ifndef CP_ANALYSES_TASKS_SKEW_H
#define CP_ANALYSES_TASKS_SKEW_H

#include "analyses/tasks/task-state.h"

/*
 * The thread begins to run: true if it runs on another CPU still, so that its
 * span begins when it has left that.
 */
bool cp_skew_begins(struct cp_taskstate *, struct cp_sched_thread *,
    const struct cp_sched_event *);
/*
 * The thread is about to leave the event's CPU.  Returns the time at which it
 * began to run elsewhere by then; CP_NO_TIME: it did not.
 */
uint64_t cp_skew_ends(struct cp_taskstate *, struct cp_sched_thread *,
    const struct cp_sched_event *);

#endif
