/* SPDX-License-Identifier: MIT */
/* The CPUs of a taskstate, and the threads that run there. */
#include "run/facts/facts.h"

#include <string.h>

void
cp_cpus_grow(struct cp_taskstate *ts, uint32_t cpu)
{
	uint32_t n = cpu < 16 ? 32 : 2 * cpu;
	struct cp_sched_cpu *all = cp_run_alloc(ts->pub.run, n * sizeof(*all));

	if (ts->n_cpus != 0)
		memcpy(all, ts->cpu, ts->n_cpus * sizeof(*all));
	for (uint32_t i = ts->n_cpus; i < n; i++)
		all[i] = (struct cp_sched_cpu){ .known = CP_NO_TIME,
			.current = CP_NO_ID };
	ts->cpu = all;
	ts->n_cpus = n;
}

/*
 * A loss on an unknown CPU may concern this one: its last event was before the
 * loss.
 */
void
cp_cpu_wake(struct cp_taskstate *ts, struct cp_sched_cpu *c)
{
	if (c->last == 0 || c->losses_anywhere == ts->losses_anywhere)
		return;
	c->known = ts->loss_anywhere;
	c->losses_anywhere = ts->losses_anywhere;
}

void
cp_cpu_seen(struct cp_taskstate *ts, struct cp_sched_cpu *c, uint64_t time)
{
	uint32_t i = (uint32_t)(c - ts->cpu);

	if (c->last != 0) {
		if (c->older != CP_NO_ID)
			ts->cpu[c->older].newer = c->newer;
		else
			ts->oldest_cpu = c->newer;
		if (c->newer != CP_NO_ID)
			ts->cpu[c->newer].older = c->older;
		else
			ts->newest_cpu = c->older;
	}
	c->last = time;
	c->losses_anywhere = ts->losses_anywhere;
	c->newer = CP_NO_ID;
	c->older = ts->newest_cpu;
	if (c->older != CP_NO_ID)
		ts->cpu[c->older].newer = i;
	else
		ts->oldest_cpu = i;
	ts->newest_cpu = i;
}
