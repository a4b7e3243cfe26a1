/* SPDX-License-Identifier: MIT */
/*
 * analyses/tasks/spans.h: spans of time in which a thread ran, was runnable,
 * was blocked, or its state is not known.
 *
 * The spans of a thread touch and do not overlap: they add up to its lifetime
 * in the capture, to the nanosecond, except where the clocks of CPUs differ
 * (skew.h).  A span is passed on when it ends: the
 * spans of a thread come in order, those of all threads in the order of their
 * ends.
 *
 * An unknown state is never guessed.  A switch that does not fit the one before
 * it makes the thread unknown from its last event on.  A lost record makes
 * threads unknown, except those seen running on another CPU: from the last
 * event of the CPU that lost it until the LOST record.  After that the thread's
 * next event proves the state.  A loss is known only when its LOST record
 * comes, so spans are passed on later than their events (held.c), with a copy
 * of the thread as it was in the span.
 *
 * An idle CPU runs thread 0, which has no spans.
 */
#ifndef CP_ANALYSES_TASKS_SPANS_H
#define CP_ANALYSES_TASKS_SPANS_H

#include "analyses/tasks/held.h"
#include "analyses/tasks/losses.h"
#include "analyses/tasks/task-state.h"
#include "analyses/tasks/threads.h"

void cp_taskstate_init(
    struct cp_taskstate *, struct cp_run *, cp_span_fn, void *ctx);
/*
 * Handles the next event in order of time; a NONE event shows that no record of
 * its CPU was lost before.
 */
void cp_taskstate_event(struct cp_taskstate *, const struct cp_sched_event *);
/*
 * The capture has the switches of some threads, and nothing of others: not who
 * had a CPU, nor whether it was idle.
 */
bool cp_taskstate_tasks_only(const struct cp_taskstate *);
/* Ends all spans at the end of the capture. */
void cp_taskstate_finish(struct cp_taskstate *);

#endif
