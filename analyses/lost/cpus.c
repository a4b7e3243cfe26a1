/* SPDX-License-Identifier: MIT */
#include "analyses/lost/cpus.h"

void
cp_lost_cpus_init(struct cp_lost_cpus *l, struct cp_run *run)
{
	*l = (struct cp_lost_cpus){
		.run = run, .first = CP_NO_TIME, .last = CP_NO_TIME
	};
	cp_index_init(&l->numbers, run);
}

static struct cp_lost_cpu *
cpu_of(struct cp_lost_cpus *l, uint32_t cpu)
{
	uint32_t i = cp_index_put(&l->numbers, cpu, 0);

	cp_grow_to(l->run, l->cpu, &l->cap, i);
	return &l->cpu[i];
}

/* Records may come late: time never goes back.  Returns the time now. */
static uint64_t
advance(struct cp_lost_cpus *l, uint64_t time)
{
	if (l->first == CP_NO_TIME)
		l->first = l->last = time;
	if (time > l->last)
		l->last = time;
	return l->last;
}

static void
seen(struct cp_lost_cpus *l, uint64_t time, uint32_t cpu)
{
	uint64_t now = advance(l, time);

	if (cpu != CP_NO_ID)
		cpu_of(l, cpu)->last = now;
}

void
cp_lost_cpus_sample(struct cp_lost_cpus *l, const struct cp_sample *s)
{
	if (s->time != CP_NO_TIME)
		seen(l, s->time, s->cpu);
}

/*
 * Returns the time of the oldest of the CPUs' last records.  These times never
 * go back, so the result is valid until that CPU has a newer record.
 */
static uint64_t
oldest(struct cp_lost_cpus *l)
{
	if (l->oldest < l->numbers.n && l->oldest_last != 0 &&
	    l->cpu[l->oldest].last == l->oldest_last)
		return l->oldest_last;
	l->oldest_last = l->first;
	for (uint32_t i = 0, any = 0; i < l->numbers.n; i++) {
		uint64_t last = l->cpu[i].last;

		if (last == 0 || (any++ != 0 && last >= l->oldest_last))
			continue;
		l->oldest = i;
		l->oldest_last = last;
	}
	return l->oldest_last;
}

/* Adds a loss until a time.  Returns where it can have begun. */
static uint64_t
lose(struct cp_lost_cpus *l, uint32_t cpu, uint64_t time)
{
	uint64_t start;

	if (cpu == CP_NO_ID)
		start = oldest(l);
	else
		start = cpu_of(l, cpu)->last;
	if (start == 0)
		start = l->first;
	cp_lost_spans_add(&l->spans, l->run, start, time);
	return start;
}

/*
 * When the recording ends, perf reads the number of lost samples of each event
 * and writes LOST_SAMPLES without a time.  That number includes the samples in
 * LOST records.
 */
static void
count(struct cp_lost_cpus *l, const struct cp_sideband *e, bool timed)
{
	struct cp_lost_count *of =
	    e->cpu != CP_NO_ID ? &cpu_of(l, e->cpu)->lost : NULL;

	if (timed)
		l->lost.told += e->lost;
	else
		l->lost.counted += e->lost;
	if (of != NULL && timed)
		of->told += e->lost;
	else if (of != NULL)
		of->counted += e->lost;
	else if (!timed)
		l->anywhere += e->lost;
}

uint64_t
cp_lost_cpus_event(struct cp_lost_cpus *l, const struct cp_sideband *e)
{
	bool timed = e->time != 0 && e->time != CP_NO_TIME;
	uint64_t start;

	if (e->kind != CP_SIDE_LOST)
		return CP_NO_TIME;
	count(l, e, timed);
	if (!timed)
		return CP_NO_TIME;
	start = lose(l, e->cpu, advance(l, e->time));
	seen(l, e->time, e->cpu);
	return start;
}

static bool
untold(const struct cp_lost_count *c)
{
	return c->counted > c->told;
}

uint64_t
cp_lost_cpus_finish(struct cp_lost_cpus *l)
{
	uint64_t first = CP_NO_TIME;

	if (l->first == CP_NO_TIME || !untold(&l->lost))
		return first;
	if (l->anywhere != 0)
		first = lose(l, CP_NO_ID, l->last);
	for (uint32_t i = 0; i < l->numbers.n; i++) {
		uint64_t start;

		if (!untold(&l->cpu[i].lost))
			continue;
		start = lose(l, (uint32_t)l->numbers.all[i].a, l->last);
		if (start < first)
			first = start;
	}
	return first;
}
