/* SPDX-License-Identifier: MIT */
/*
 * analyses/tasks/ends.h: the end of a span, and the start of the next.
 */
#ifndef CP_ANALYSES_TASKS_ENDS_H
#define CP_ANALYSES_TASKS_ENDS_H

#include "analyses/tasks/task-state.h"

/* What the event that ends a span proves about the time before it. */
struct cp_evidence {
	uint64_t end;
	uint64_t from;  /* `really` is proven from this time on */
	uint8_t really; /* what the thread was doing, enum cp_span_kind */
	bool woken;     /* the event is a wake-up */
	bool open_end;  /* it is the end of the capture */
};

/* Ends the thread's span and passes it to the analysis. */
void cp_span_end(struct cp_taskstate *, struct cp_sched_thread *,
    const struct cp_evidence *);
/* True if a record was lost that the thread's span may depend on. */
bool cp_span_touched(
    const struct cp_taskstate *, const struct cp_sched_thread *);

/* Begins the thread's next span. */
static inline void
cp_span_begin(struct cp_sched_thread *t, enum cp_span_kind kind)
{
	t->kind = (uint8_t)kind;
	t->clear = CP_NO_TIME;
}

#endif
