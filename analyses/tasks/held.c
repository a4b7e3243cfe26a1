/* SPDX-License-Identifier: MIT */
/*
 * held: spans that wait before they are told to the analysis.
 *
 * The kernel reports lost records of a CPU when it has room for the next
 * record, which may be long after.  Until then a thread whose wake-up is
 * missing seems to be blocked.  So the newest spans are kept in a ring, each
 * with a copy of its thread, and the part that a loss may have changed is cut
 * off.
 */
#include "analyses/tasks/held.h"

#include <inttypes.h>

#include "analyses/tasks/threads.h"

/* About 12 MiB; must be a power of two. */
#define LIMIT 65536u
#define FIRST 256u

struct cp_held {
	struct cp_span span; /* its thread pointer is NULL: use the copy */
	struct cp_sched_thread thread;
	uint64_t told; /* the time of the event that told it */
	uint64_t cut;  /* unknown from this time on; CP_NO_TIME: all is known */
};

static struct cp_held *
held_at(const struct cp_taskstate *ts, uint32_t i)
{
	return &ts->held[(ts->held_first + i) & (ts->held_cap - 1)];
}

static void
tell_part(struct cp_taskstate *ts, const struct cp_held *h, struct cp_span s,
    uint64_t start, uint64_t end)
{
	s.thread = &h->thread;
	s.start = start;
	s.end = end;
	if (start < end)
		ts->fn(ts->ctx, &s);
}

static void
tell(struct cp_taskstate *ts, const struct cp_held *h)
{
	struct cp_span known = h->span, unknown = h->span;
	uint64_t cut = h->cut;

	if (cut >= known.end) {
		tell_part(ts, h, known, known.start, known.end);
		return;
	}
	if (cut < known.start)
		cut = known.start;
	known.open &= CP_SPAN_OPEN_START;
	known.woken = false;
	tell_part(ts, h, known, known.start, cut);
	unknown.kind = CP_SPAN_UNKNOWN;
	unknown.after_loss = true;
	unknown.woken = false;
	tell_part(ts, h, unknown, cut, unknown.end);
}

static void
tell_oldest(struct cp_taskstate *ts)
{
	struct cp_held *h = held_at(ts, 0);

	ts->held_first++;
	ts->n_held--;
	tell(ts, h);
}

static void
grow(struct cp_taskstate *ts)
{
	uint32_t cap = ts->held_cap != 0 ? 2 * ts->held_cap : FIRST;
	struct cp_held *all = cp_run_alloc(ts->run, cap * sizeof(*all));

	for (uint32_t i = 0; i < ts->n_held; i++)
		all[i] = *held_at(ts, i);
	ts->held = all;
	ts->held_cap = cap;
	ts->held_first = 0;
}

void
cp_held_add(struct cp_taskstate *ts, const struct cp_span *s)
{
	struct cp_held *h;

	if (ts->n_held == LIMIT) {
		ts->told_until = held_at(ts, 0)->told;
		tell_oldest(ts);
	} else if (ts->n_held == ts->held_cap) {
		grow(ts);
	}
	h = held_at(ts, ts->n_held++);
	h->span = *s;
	h->thread = *s->thread;
	h->told = ts->now;
	h->cut = CP_NO_TIME;
	if (!ts->names)
		return;
	h->thread.pid = cp_sched_thread_pid(ts, s->thread);
	h->thread.comm = cp_sched_thread_name(ts, s->thread);
}

void
cp_held_lose(struct cp_taskstate *ts, uint64_t start, bool known_cpu)
{
	ts->late += ts->told_until > start;
	for (uint32_t i = ts->n_held; i-- > 0;) {
		struct cp_held *h = held_at(ts, i);

		if (h->told <= start)
			break;
		if (h->span.kind == CP_SPAN_RUNNING && known_cpu &&
		    h->thread.cpu != CP_NO_ID)
			continue;
		if (start < h->cut)
			h->cut = start;
	}
}

void
cp_taskstate_note(const struct cp_taskstate *ts, struct cp_report *rep)
{
	if (ts->late != 0)
		cp_report_note(rep,
		    "%" PRIu64 " loss%s told so late by the kernel that some "
		    "times which %s can have changed are not unknown here",
		    ts->late, ts->late == 1 ? " was" : "es were",
		    ts->late == 1 ? "it" : "they");
}

void
cp_held_release(struct cp_taskstate *ts)
{
	while (ts->n_held != 0)
		tell_oldest(ts);
}
