/* SPDX-License-Identifier: MIT */
/*
 * Makes threads and CPUs unknown: after a switch that does not fit the one
 * before it, and after a loss.
 */
#include "run/facts/facts.h"

/* The thread does not run as assumed; it is unknown since `last'. */
static void
lose_track(struct cp_taskstate *ts, struct cp_sched_thread *t, uint64_t last)
{
	struct cp_evidence e = { .end = last, .really = CP_SPAN_RUNNING };

	cp_span_end(ts, t, &e);
	cp_span_begin(ts, t, CP_SPAN_UNKNOWN);
}

void
cp_cpu_forget(struct cp_taskstate *ts, struct cp_sched_cpu *c)
{
	if (c->current < CP_THREAD_IDLE)
		lose_track(
		    ts, cp_taskstate_thread(ts, c->current), c->current_last);
	c->current = CP_NO_ID;
	c->known = CP_NO_TIME;
}

void
cp_thread_forget(struct cp_taskstate *ts, struct cp_sched_thread *t)
{
	struct cp_sched_cpu *c = cp_cpu_get(ts, t->cpu);

	if (c != NULL && c->current == t->index)
		cp_cpu_forget(ts, c);
	else
		lose_track(ts, t, t->since);
}

/* After a loss nothing is known of the CPU since its last event. */
static uint64_t
cpu_lost(struct cp_taskstate *ts, struct cp_sched_cpu *c, uint64_t time)
{
	uint64_t start = c->last != 0 ? c->last : ts->pub.first;

	if (c->current < CP_THREAD_IDLE) {
		struct cp_sched_thread *t = cp_taskstate_thread(ts, c->current);

		lose_track(ts, t, start);
		t->clear = time;
	}
	c->current = CP_NO_ID;
	c->known = time;
	return start;
}

/*
 * Handles a loss on an unknown CPU: it can be on any CPU, since the earliest of
 * their last events.  CPUs without events since the last such loss are already
 * unknown; cp_cpu_wake() applies this loss to them.
 */
static uint64_t
some_cpu_lost(struct cp_taskstate *ts, uint64_t time)
{
	uint32_t i = ts->newest_cpu;

	for (;
	     i != CP_NO_ID && ts->cpu[i].losses_anywhere == ts->losses_anywhere;
	     i = ts->cpu[i].older)
		cpu_lost(ts, &ts->cpu[i], time);
	ts->losses_anywhere++;
	ts->loss_anywhere = time;
	i = ts->oldest_cpu;
	return i != CP_NO_ID && ts->cpu[i].last < time ? ts->cpu[i].last
						       : ts->pub.first;
}

void
cp_forget_lost(struct cp_taskstate *ts, const struct cp_sched_event *ev)
{
	struct cp_sched_cpu *c = cp_cpu_get(ts, ev->cpu);
	uint64_t start =
	    c != NULL ? cpu_lost(ts, c, ev->time) : some_cpu_lost(ts, ev->time);

	cp_held_lose(ts, start, c != NULL);
	cp_lost_spans_add(&ts->pub.losses, ts->pub.run, start, ev->time);
}

/*
 * A LOST record is written when there is room again, so the last loss of a CPU
 * has none.  But when the recording ends, perf reads the number of lost samples
 * of each event, LOST records included, and writes LOST_SAMPLES without a time.
 */
void
cp_forget_count(struct cp_taskstate *ts, const struct cp_sched_event *ev)
{
	struct cp_sched_cpu *c = cp_cpu_get(ts, ev->cpu);

	if (ev->time != CP_NO_TIME) {
		ts->lost_told += ev->value;
		if (c != NULL)
			c->lost_told += ev->value;
		return;
	}
	ts->lost_counted += ev->value;
	if (c != NULL)
		c->lost_counted += ev->value;
	else
		ts->lost_anywhere += ev->value;
}

void
cp_forget_untold(struct cp_taskstate *ts)
{
	struct cp_sched_event end = { .time = ts->pub.last, .cpu = CP_NO_ID };

	if (ts->pub.first == CP_NO_TIME || ts->lost_counted <= ts->lost_told)
		return;
	if (ts->lost_anywhere != 0)
		cp_forget_lost(ts, &end);
	for (uint32_t i = 0; i < ts->n_cpus; i++) {
		if (ts->cpu[i].lost_counted <= ts->cpu[i].lost_told)
			continue;
		end.cpu = i;
		cp_forget_lost(ts, &end);
	}
}
