/* SPDX-License-Identifier: MIT */
/*
 * analyses/tasks/spans.h: what each thread did when: it ran, could have run,
 * waited for something, or it is not known.
 *
 * The spans of a thread touch and do not overlap: they add up to its lifetime
 * in the capture, to the nanosecond.  A span is told when it ends; those of
 * one thread come in order, those of several in the order of their ends.
 *
 * What is not known is never guessed: a switch that does not fit the one
 * before it makes the thread unknown from its last event on; a lost record
 * makes every thread unknown that was not seen running on another CPU, from
 * the last event of the CPU that lost it until the record, and what followed
 * is what the thread's next event says.  A loss is known when its record
 * comes, so spans are told later than their events (held.c): the thread that
 * a span tells is a copy, with what it was then.
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
/* Ends the spans that go on. */
void cp_taskstate_finish(struct cp_taskstate *);

#endif
