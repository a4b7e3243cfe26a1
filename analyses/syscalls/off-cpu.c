/* SPDX-License-Identifier: MIT */
/*
 * off-cpu: what a thread did during its system calls.
 *
 * Spans of a thread come in their order, but maybe after the call in which they
 * lie has ended: such calls wait in a list of their thread.  A call during
 * which its thread did not leave the CPU, as nearly all, never gets there.
 */
#include "analyses/syscalls/syscalls.h"

struct cp_call_ended {
	uint64_t start, end;
	uint32_t row, next; /* number + 1 */
	struct cp_pair_off off;
};

/* Adds the part of a span that lies in a call and in --time. */
static void
add_span(struct cp_syscalls *c, struct cp_pair_off *off, uint64_t start,
    uint64_t end, const struct cp_span *s)
{
	start = start > s->start ? start : s->start;
	start = start > c->from ? start : c->from;
	end = end < s->end ? end : s->end;
	end = end < c->to ? end : c->to;
	if (end <= start || s->kind == CP_SPAN_RUNNING)
		return;
	if (s->kind == CP_SPAN_BLOCKED)
		off->blocked += end - start;
	else if (s->kind == CP_SPAN_UNKNOWN)
		off->unknown += end - start;
	else
		off->ready += end - start;
}

/* A call during which records were lost is counted without a time. */
static void
count(struct cp_syscalls *c, const struct cp_call_ended *e)
{
	if (!cp_spans_lost_within(c->spans, e->start, e->end))
		cp_pair_off_add(&c->rows.all[e->row].off, &e->off);
}

void
cp_syscalls_span(void *calls, const struct cp_span *s)
{
	struct cp_syscalls *c = calls;
	uint32_t i = cp_index_get(&c->tids, s->thread->tid, 0);
	struct cp_call_open *in;

	if (i == CP_NO_ID)
		return;
	in = &c->open[i];
	while (in->ended != 0) {
		uint32_t k = in->ended - 1;
		struct cp_call_ended *e = &c->ended[k];

		add_span(c, &e->off, e->start, e->end, s);
		if (e->end > s->end)
			break;
		/* Later spans lie after it. */
		count(c, e);
		in->ended = e->next;
		e->next = c->unused;
		c->unused = k + 1;
	}
	if (in->active && s->end > in->time)
		add_span(c, &in->off, in->time, UINT64_MAX, s);
}

void
cp_syscalls_ended(
    struct cp_syscalls *c, struct cp_call_open *in, uint32_t tid, uint64_t end)
{
	const struct cp_sched_thread *t;
	struct cp_call_ended *e;
	uint32_t k;

	if (c->spans == NULL)
		return;
	t = cp_spans_find(c->spans, tid);
	if (t == NULL || (t->since <= in->time && in->off.blocked == 0 &&
			     in->off.ready == 0 && in->off.unknown == 0))
		return;
	if (c->unused != 0) {
		k = c->unused - 1;
		c->unused = c->ended[k].next;
	} else {
		k = c->n_ended++;
		cp_grow_to(c->run, c->ended, &c->ended_cap, k);
	}
	e = &c->ended[k];
	*e = (struct cp_call_ended){
		.start = in->time, .end = end, .row = in->row, .off = in->off
	};
	if (in->ended == 0)
		in->ended = k + 1;
	else
		c->ended[in->last_ended - 1].next = k + 1;
	in->last_ended = k + 1;
}

void
cp_syscalls_off_finish(struct cp_syscalls *c)
{
	for (uint32_t i = 0; i < c->tids.n && c->spans != NULL; i++)
		for (uint32_t at = c->open[i].ended; at != 0;
		     at = c->ended[at - 1].next)
			count(c, &c->ended[at - 1]);
}
