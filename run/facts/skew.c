/* SPDX-License-Identifier: MIT */
#include "run/facts/facts.h"

/* Clocks of CPUs differ by less; a longer overlap is a switch that was lost. */
#define LARGEST (UINT64_C(1000) * 1000)

bool
cp_skew_begins(struct cp_taskstate *ts, struct cp_sched_thread *t,
    const struct cp_sched_event *ev)
{
	const struct cp_sched_cpu *c;

	if (t->kind != CP_SPAN_RUNNING || t->cpu == CP_NO_ID ||
	    ev->cpu == CP_NO_ID || t->cpu == ev->cpu || t->early != CP_NO_TIME)
		return false;
	c = cp_cpu_get(ts, t->cpu);
	if (c == NULL || c->current != t->index)
		return false;
	t->early = ev->time;
	t->early_cpu = ev->cpu;
	return true;
}

uint64_t
cp_skew_ends(struct cp_taskstate *ts, struct cp_sched_thread *t,
    const struct cp_sched_event *ev)
{
	uint64_t early = t->early, by = ev->time - early;

	t->early = CP_NO_TIME;
	if (early == CP_NO_TIME)
		return CP_NO_TIME;
	if (ev->cpu != t->cpu || by > LARGEST) {
		cp_thread_forget(ts, t);
		return CP_NO_TIME;
	}
	ts->pub.skewed++;
	ts->pub.skew = by > ts->pub.skew ? by : ts->pub.skew;
	return early;
}
