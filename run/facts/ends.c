/* SPDX-License-Identifier: MIT */
/*
 * ends: ends a span, and passes on the thread's states from its last event
 * until now.
 */
#include "run/facts/facts.h"

static void
tell(struct cp_taskstate *ts, struct cp_span *s, uint8_t kind, uint64_t start,
    uint64_t end)
{
	s->kind = kind;
	s->start = start;
	s->end = end;
	if (start < end)
		cp_held_add(ts, s);
}

static uint64_t
later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/*
 * Passes on spans if the thread's state does not fit the event, or if records
 * were lost.  The old span lasts until the first loss, if there is one; then
 * the state is unknown; the new state begins where the evidence does.
 */
static void
tell_broken(struct cp_taskstate *ts, const struct cp_sched_thread *t,
    struct cp_span *s, const struct cp_evidence *e)
{
	const struct cp_lost_span *l =
	    cp_lost_spans_after(&ts->pub.losses, t->since);
	uint64_t at = t->since, from = e->from;

	if (l != NULL && t->kind != CP_SPAN_UNKNOWN) {
		struct cp_span before = *s;

		before.open &= CP_SPAN_OPEN_START;
		before.woken = false;
		at = later(at, l->start);
		if (at > e->end)
			at = e->end;
		tell(ts, &before, t->kind, t->since, at);
	}
	if (t->kind == CP_SPAN_UNKNOWN)
		from = later(from, t->clear);
	else if (l == NULL)
		from = e->end;
	if (l != NULL)
		from =
		    later(from, ts->pub.losses.all[ts->pub.losses.n - 1].end);
	if (e->really == CP_SPAN_UNKNOWN || from > e->end)
		from = e->end;
	s->after_loss = l != NULL;
	tell(ts, s, CP_SPAN_UNKNOWN, at, later(at, from));
	s->open |= CP_SPAN_OPEN_START;
	s->by_end = true;
	tell(ts, s, e->really, later(at, from), e->end);
}

/* True if a record was lost that the thread's span may depend on. */
bool
cp_span_touched(const struct cp_taskstate *ts, const struct cp_sched_thread *t)
{
	/*
	 * A loss on its own CPU ends a running span anyway; others do not
	 * matter.
	 */
	if (t->kind == CP_SPAN_RUNNING && t->cpu != CP_NO_ID)
		return false;
	return cp_lost_spans_after(&ts->pub.losses, t->since) != NULL;
}

void
cp_span_end(struct cp_taskstate *ts, struct cp_sched_thread *t,
    const struct cp_evidence *e)
{
	struct cp_span s = { .thread = t,
		.woken = e->woken,
		.open = (uint8_t)((!t->started && t->born == CP_NO_TIME
					  ? CP_SPAN_OPEN_START
					  : 0) |
				  (e->open_end ? CP_SPAN_OPEN_END : 0)) };

	if (e->end <= t->since || t->ended != CP_NO_TIME)
		; /* The span is empty, or the thread has exited. */
	else if (t->kind == e->really && t->kind != CP_SPAN_UNKNOWN &&
		 !cp_span_touched(ts, t))
		tell(ts, &s, t->kind, t->since, e->end);
	else
		tell_broken(ts, t, &s, e);
	t->since = later(t->since, e->end);
	t->started = true;
	t->woken_early = false;
}
