/* SPDX-License-Identifier: MIT */
/*
 * held: spans that are held back before they are passed to the analysis.
 *
 * The kernel reports lost records of a CPU when it has room for the next
 * record, which may be much later.  Until then a thread whose wake-up is
 * missing seems to be blocked.  So the newest spans are kept in a ring, each
 * with the state of its thread, and the part that a loss may have changed is
 * cut off.
 */
#include "run/facts/facts.h"

#include <string.h>

/* Both must be powers of two; all blocks are about 6 MiB. */
#define LIMIT 65536u
#define BLOCK 128u
#define FIRST_CUTS 256u

/*
 * A span, and those fields of its thread that may change before it is passed
 * on.
 */
struct cp_held {
	uint64_t start, end;
	uint64_t told; /* time of the event that ended it */
	uint64_t moved;
	char name[CP_SCHED_NAME];
	struct cp_span_waker waker;
	uint32_t thread;
	uint32_t taker;
	uint32_t pid, cpu;
	cp_string_id comm;
	cp_stack_id stack;
	char letter;
	uint8_t kind, open;
	bool after_loss : 1, woken : 1, by_end : 1;
};

static struct cp_held *
held_at(const struct cp_taskstate *ts, uint32_t i)
{
	uint32_t at = (ts->held_first + i) % LIMIT;

	return &ts->held[at / BLOCK][at % BLOCK];
}

/* -------------------------------------------------------------------- cuts */

static void
cuts_room(struct cp_held_cuts *c, struct cp_run *run)
{
	struct cp_held_cut *all = c->all;

	if (c->first + c->n < c->cap)
		return;
	if (c->n >= c->cap / 2) {
		c->cap = c->cap != 0 ? 2 * c->cap : FIRST_CUTS;
		c->all = cp_run_alloc(run, c->cap * sizeof(*all));
	}
	if (c->n != 0)
		memmove(c->all, all + c->first, c->n * sizeof(*all));
	c->first = 0;
}

/* Drops a cut that starts no earlier and cuts the same spans as another. */
static void
cuts_add(struct cp_held_cuts *c, struct cp_run *run, struct cp_held_cut cut)
{
	while (c->n != 0 && c->all[c->first + c->n - 1].start >= cut.start)
		c->n--;
	if (c->n != 0 && c->all[c->first + c->n - 1].held_ever == cut.held_ever)
		return;
	cuts_room(c, run);
	c->all[c->first + c->n++] = cut;
}

/*
 * Returns the start of the earliest loss that was reported after the span was
 * held.
 */
static uint64_t
cuts_of(struct cp_held_cuts *c, uint64_t span)
{
	while (c->n != 0 && c->all[c->first].held_ever <= span) {
		c->first++;
		c->n--;
	}
	return c->n != 0 ? c->all[c->first].start : CP_NO_TIME;
}

/*
 * Returns the time from which the oldest span is unknown; CP_NO_TIME: all is
 * known.  A loss on a known CPU cuts no thread that was seen running.
 */
static uint64_t
cut_of(struct cp_taskstate *ts, const struct cp_held *h)
{
	uint64_t span = ts->held_ever - ts->n_held;
	uint64_t known = cuts_of(&ts->cuts[0], span);
	uint64_t cut = cuts_of(&ts->cuts[1], span);

	if (known < cut && (h->kind != CP_SPAN_RUNNING || h->cpu == CP_NO_ID))
		cut = known;
	return cut < h->told ? cut : CP_NO_TIME;
}

/* -------------------------------------------------------------------- tell */

static void
tell_to(struct cp_taskstate *ts, const struct cp_span *s, bool whole)
{
	for (uint32_t i = 0; i < ts->n_listeners; i++)
		if (ts->listener[i].whole == whole)
			ts->listener[i].fn(ts->listener[i].ctx, s);
}

/* Passes on what is between two times, then the parts that --time keeps. */
static void
tell_part(
    struct cp_taskstate *ts, struct cp_span s, uint64_t start, uint64_t end)
{
	uint8_t open = s.open;

	s.start = start;
	s.end = end;
	if (start >= end)
		return;
	tell_to(ts, &s, true);
	for (; cp_run_cut(ts->pub.run, &s.start, &s.end);
	     s.start = s.end, s.end = end) {
		s.open = open;
		if (s.start != start)
			s.open = (uint8_t)((s.open & ~CP_SPAN_OPEN_START) |
					   CP_SPAN_CUT_START);
		if (s.end != end)
			s.open = (uint8_t)((s.open & ~CP_SPAN_OPEN_END) |
					   CP_SPAN_CUT_END);
		tell_to(ts, &s, false);
	}
}

static void
tell(struct cp_taskstate *ts, struct cp_span known, uint64_t cut)
{
	struct cp_span unknown = known;

	if (cut >= known.end) {
		tell_part(ts, known, known.start, known.end);
		return;
	}
	if (cut < known.start || known.by_end)
		cut = known.start;
	known.open &= CP_SPAN_OPEN_START;
	known.woken = false;
	tell_part(ts, known, known.start, cut);
	unknown.kind = CP_SPAN_UNKNOWN;
	unknown.after_loss = true;
	unknown.woken = false;
	tell_part(ts, unknown, cut, unknown.end);
}

static struct cp_sched_thread
thread_of(const struct cp_taskstate *ts, const struct cp_held *h)
{
	struct cp_sched_thread t = *cp_taskstate_thread(ts, h->thread);

	t.pid = h->pid;
	t.comm = h->comm;
	memcpy(t.name, h->name, sizeof(t.name));
	t.cpu = h->cpu;
	t.letter = h->letter;
	t.stack = h->stack;
	t.moved = h->moved;
	t.waker = h->waker;
	t.taker = h->taker;
	return t;
}

static void
tell_oldest(struct cp_taskstate *ts)
{
	struct cp_held *h = held_at(ts, 0);
	struct cp_sched_thread t = thread_of(ts, h);
	struct cp_span s = { .thread = &t,
		.start = h->start,
		.end = h->end,
		.kind = h->kind,
		.open = h->open,
		.after_loss = h->after_loss,
		.woken = h->woken,
		.by_end = h->by_end };
	uint64_t cut = cut_of(ts, h);

	ts->held_first++;
	ts->n_held--;
	tell(ts, s, cut);
}

/*
 * Adds room for a span.  The ring grows by blocks, so that no span is copied.
 */
static struct cp_held *
push(struct cp_taskstate *ts)
{
	uint32_t at = (ts->held_first + ts->n_held) % LIMIT;
	struct cp_held **block;

	if (ts->held == NULL)
		ts->held = cp_run_alloc(
		    ts->pub.run, LIMIT / BLOCK * sizeof(struct cp_held *));
	block = &ts->held[at / BLOCK];
	if (*block == NULL)
		*block = cp_run_alloc(ts->pub.run, BLOCK * sizeof(**block));
	ts->n_held++;
	ts->held_ever++;
	return &(*block)[at % BLOCK];
}

void
cp_held_add(struct cp_taskstate *ts, const struct cp_span *s)
{
	const struct cp_sched_thread *t = s->thread;
	struct cp_held *h;

	if (ts->n_listeners == 0)
		return;
	if (ts->n_held == LIMIT) {
		ts->told_until = held_at(ts, 0)->told;
		tell_oldest(ts);
	}
	h = push(ts);
	*h = (struct cp_held){ .start = s->start,
		.end = s->end,
		.told = ts->now,
		.moved = t->moved,
		.waker = t->waker,
		.thread = t->index,
		.taker = t->taker,
		.pid = cp_sched_thread_pid(&ts->pub, t),
		.cpu = t->cpu,
		.comm = cp_sched_thread_name(&ts->pub, t),
		.stack = t->stack,
		.letter = t->letter,
		.kind = s->kind,
		.open = s->open,
		.after_loss = s->after_loss,
		.woken = s->woken,
		.by_end = s->by_end };
	memcpy(h->name, t->name, sizeof(h->name));
}

void
cp_held_lose(struct cp_taskstate *ts, uint64_t start, bool known_cpu)
{
	ts->pub.late += ts->told_until > start;
	cuts_add(&ts->cuts[!known_cpu], ts->pub.run,
	    (struct cp_held_cut){ start, ts->held_ever });
}

void
cp_held_release(struct cp_taskstate *ts)
{
	while (ts->n_held != 0)
		tell_oldest(ts);
}
