/* SPDX-License-Identifier: MIT */
/* keep: what of an event is copied, as the reader reuses its memory. */
#include "model/order/queue.h"

/*
 * Counter values make samples of their own (counter.c) and are always kept.  So
 * are the rare fields that every analysis may read.
 */
static bool
keeps_event(const struct cp_order *o, const struct cp_event *ev)
{
	const struct cp_ev_sample *s = &ev->u.sample;

	if (ev->type != CP_RECORD_SAMPLE || s->read != NULL || s->cgroup != 0)
		return true;
	if ((o->want_stacks && s->user_regs != NULL) ||
	    (o->want_branches && s->branch != NULL))
		return true;
	return o->want_payload &&
	       (s->raw != NULL || s->branch != NULL || s->user_regs != NULL ||
		   (s->addr | s->weight | s->data_src | s->phys_addr |
		       s->data_page_size | s->code_page_size) != 0);
}

/* True if raw data is all to keep, as of most tracepoints. */
static bool
only_raw(const struct cp_event *ev)
{
	const struct cp_ev_sample *s = &ev->u.sample;

	return ev->type == CP_RECORD_SAMPLE && s->raw != NULL &&
	       s->read == NULL && s->branch == NULL && s->user_regs == NULL &&
	       s->user_stack == NULL && s->intr_regs == NULL &&
	       (s->addr | s->weight | s->data_src | s->phys_addr | s->cgroup |
		   s->data_page_size | s->code_page_size) == 0;
}

static void
copy_event(struct cp_order *o, const struct cp_event *ev, struct cp_queued *q)
{
	const struct cp_ev_sample *s = &ev->u.sample;
	struct cp_event lean;

	if (only_raw(ev) && !q->deferred) {
		q->raw = s->raw;
		q->raw_size = s->raw_size;
		return;
	}
	if (ev->type != CP_RECORD_SAMPLE || o->want_stacks ||
	    s->user_stack == NULL) {
		q->event = cp_held_copy(&o->held, ev);
		return;
	}
	lean = *ev;
	lean.u.sample.user_stack = NULL;
	lean.u.sample.user_stack_size = 0;
	q->event = cp_held_copy(&o->held, &lean);
}

void
cp_order_keep(
    struct cp_order *o, const struct cp_event *ev, struct cp_queued *q)
{
	if (q->early.generation == 0 && keeps_event(o, ev))
		copy_event(o, ev, q);
}
