/* SPDX-License-Identifier: MIT */
/*
 * off-cpu: what a thread did during its system calls.
 *
 * Spans of a thread come in their order, but maybe after the call in which they
 * lie has ended: such calls wait in a list of their thread.  A call during
 * which its thread did not leave the CPU, as nearly all, never gets there.
 */
#include "analyses/syscalls/syscalls.h"

#include <string.h>

struct cp_call_ended {
	uint64_t start, end;
	uint32_t row, next; /* number + 1 */
	struct cp_call_off off;
};

static void
add(struct cp_calls *to, const struct cp_call_off *off)
{
	to->off.ready += off->ready;
	to->off.blocked += off->blocked;
	to->off.unknown += off->unknown;
}

/* Adds the part of a span that lies in a call and in --time. */
static void
add_span(struct cp_syscalls *c, struct cp_call_off *off, uint64_t start,
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
		add(&c->row[e->row], &e->off);
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

/* Returns the arguments of a call that may be one of the slowest. */
static cp_string_id
arguments_of(struct cp_syscalls *c, const struct cp_call_open *in,
    const struct cp_sample *ends)
{
	struct cp_sample begin = *ends;
	const char *text;
	size_t n;

	begin.evsel = in->evsel;
	begin.raw = in->raw;
	begin.raw_size = in->raw_size;
	text = in->raw_size != 0 ? cp_sample_payload(c->run, &begin, &n) : NULL;
	if (text == NULL)
		return 0;
	/* "NR 202 (1, 2)": the table has the name. */
	if (strncmp(text, "NR ", 3) == 0 && strchr(text, '(') != NULL)
		text = strchr(text, '(');
	return cp_run_intern(c->run, text);
}

static void
rank(struct cp_syscalls *c, const struct cp_call_open *in,
    const struct cp_sample *s, int64_t result)
{
	uint64_t start = in->time > c->from ? in->time : c->from;
	uint64_t end = s->time < c->to ? s->time : c->to;
	uint32_t i = c->n_slow;

	if (end <= start ||
	    (i == CP_CALLS_SLOWEST && end - start <= c->slow[i - 1].ns))
		return;
	if (i < CP_CALLS_SLOWEST)
		c->n_slow++;
	for (i = c->n_slow - 1; i > 0 && c->slow[i - 1].ns < end - start; i--)
		c->slow[i] = c->slow[i - 1];
	c->slow[i] = (struct cp_call_slow){ start, end - start, in->row,
		arguments_of(c, in, s), result };
}

void
cp_syscalls_ended(struct cp_syscalls *c, struct cp_call_open *in,
    const struct cp_sample *s, int64_t result)
{
	const struct cp_sched_thread *t;
	struct cp_call_ended *e;
	uint32_t k;

	if (c->spans == NULL)
		return;
	rank(c, in, s, result);
	t = cp_spans_find(c->spans, s->tid);
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
	*e = (struct cp_call_ended){ .start = in->time,
		.end = s->time,
		.row = in->row,
		.off = in->off };
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
