/* SPDX-License-Identifier: MIT */
#include "analyses/sched/cpu-load.h"

#include "analyses/common/slices.h"

enum { FIRST_SHIFT = 20 };

struct place {
	uint32_t cpu;   /* losses at the time when it began to wait there */
	uint32_t loss;  /* when it came to that queue */
	uint64_t since; /* it came there last */
};

void
cp_cpu_load_init(
    struct cp_cpu_load *l, struct cp_run *run, const struct cp_spans *tasks)
{
	*l = (struct cp_cpu_load){ .run = run,
		.tasks = tasks,
		.shift = FIRST_SHIFT,
		.base = CP_NO_TIME };
	cp_slab_init(&l->queued, run, sizeof(struct place));
}

static void
cpus_grow(struct cp_cpu_load *l, uint32_t cpu)
{
	uint32_t n = cpu < 16 ? 32 : 2 * cpu;
	struct cp_cpu_load_one *all = cp_run_alloc(l->run, n * sizeof(*all));

	if (l->n != 0)
		memcpy(all, l->cpu, l->n * sizeof(*all));
	l->cpu = all;
	l->n = n;
}

/* NULL: not told. */
static inline struct cp_cpu_load_one *
cpu_get(struct cp_cpu_load *l, uint32_t cpu)
{
	if (cpu >= CP_SCHED_CPUS)
		return NULL;
	if (cpu >= l->n)
		cpus_grow(l, cpu);
	return &l->cpu[cpu];
}

/* ----------------------------------------------------------------- slices */

static void
halve(uint64_t *slice)
{
	if (slice != NULL)
		cp_slices_halve(slice, CP_CPU_LOAD_SLICES);
}

/* Keeps the longer queue of two slices. */
static void
halve_most(uint64_t *slice)
{
	for (int i = 0; slice != NULL && i < CP_CPU_LOAD_SLICES; i++) {
		const uint64_t *two = &slice[2 * i];

		slice[i] = i >= CP_CPU_LOAD_SLICES / 2 ? 0
			   : two[0] > two[1]           ? two[0]
						       : two[1];
	}
}

static void
slices_reach(struct cp_cpu_load *l, uint64_t time)
{
	while ((time - l->base) >> l->shift >= CP_CPU_LOAD_SLICES) {
		l->shift++;
		for (uint32_t i = 0; i < l->n; i++) {
			halve(l->cpu[i].busy_in);
			halve(l->cpu[i].waited_in);
			halve_most(l->cpu[i].most_in);
		}
	}
}

/* Slices begin with the first window. */
static void
slices_begin(struct cp_cpu_load *l)
{
	uint64_t from, to;

	if (l->base != CP_NO_TIME)
		return;
	cp_run_window(l->run, &from, &to);
	l->base = l->tasks->first > from ? l->tasks->first : from;
}

static void
slices_add(
    struct cp_cpu_load *l, uint64_t **slices, uint64_t start, uint64_t end)
{
	uint64_t at, edge;

	if (*slices == NULL)
		*slices =
		    cp_run_alloc(l->run, CP_CPU_LOAD_SLICES * sizeof(**slices));
	if (start < l->base)
		start = l->base;
	slices_reach(l, end);
	for (; start < end; start = edge) {
		at = (start - l->base) >> l->shift;
		edge = l->base + ((at + 1) << l->shift);
		/* The last slice may end beyond what 64 bits can count. */
		if (edge > end || edge <= start)
			edge = end;
		(*slices)[at] += edge - start;
	}
}

static void
waited(struct cp_cpu_load *l, struct cp_cpu_load_one *c, uint64_t start,
    uint64_t end)
{
	for (uint64_t stop = end; cp_run_cut(l->run, &start, &stop);
	     start = stop, stop = end) {
		slices_begin(l);
		c->waited += stop - start;
		slices_add(l, &c->waited_in, start, stop);
	}
}

void
cp_cpu_load_span(struct cp_cpu_load *l, const struct cp_span *s)
{
	uint64_t moved = s->thread->moved;
	struct cp_cpu_load_one *c;

	if (s->kind == CP_SPAN_BLOCKED || s->kind == CP_SPAN_UNKNOWN)
		return;
	c = cpu_get(l, s->thread->cpu);
	if (c == NULL)
		return;
	slices_begin(l);
	if (s->kind == CP_SPAN_RUNNING) {
		c->busy += s->end - s->start;
		slices_add(l, &c->busy_in, s->start, s->end);
		return;
	}
	/*
	 * The part of the wait before a migration counts for the other queue.
	 */
	waited(l, c, moved > s->start ? moved : s->start, s->end);
}

/* ----------------------------------------------------------------- queues */

/* Notes the present queue length for all slices since the last call. */
static void
queue_was(struct cp_cpu_load *l, struct cp_cpu_load_one *c, uint64_t time)
{
	uint64_t from = c->queue_at, stop = time, to;

	c->queue_at = time;
	if (c->queue == 0)
		return;
	for (; cp_run_cut(l->run, &from, &stop); from = stop, stop = time) {
		if (c->queue > c->queue_max) {
			c->queue_max = c->queue;
			c->queue_max_at = from;
		}
		slices_begin(l);
		if (c->most_in == NULL)
			c->most_in = cp_run_alloc(
			    l->run, CP_CPU_LOAD_SLICES * sizeof(*c->most_in));
		slices_reach(l, stop - 1);
		to = (stop - 1 - l->base) >> l->shift;
		for (uint64_t i = (from - l->base) >> l->shift; i <= to; i++)
			if (c->queue > c->most_in[i])
				c->most_in[i] = c->queue;
	}
}

static void
queue_enter(struct cp_cpu_load *l, struct cp_cpu_load_one *c, uint64_t time)
{
	queue_was(l, c, time);
	if (!c->listed) {
		cp_grow_to(l->run, l->queues, &l->queues_cap, l->n_queues);
		l->queues[l->n_queues++] = (uint32_t)(c - l->cpu);
		c->listed = true;
	}
	c->queue++;
}

static void
place(struct cp_cpu_load *l, const struct cp_sched_thread *t, uint64_t time)
{
	struct place *p = cp_slab_at(&l->queued, t->index);
	bool waits = t->ended == CP_NO_TIME &&
		     (t->kind == CP_SPAN_WOKEN || t->kind == CP_SPAN_PREEMPTED);
	uint32_t cpu = waits && t->cpu < CP_SCHED_CPUS ? t->cpu + 1 : 0;
	struct cp_cpu_load_one *c;

	if (p->loss != l->losses)
		p->cpu = 0;
	p->loss = l->losses;
	if (p->cpu == cpu)
		return;
	if (p->cpu != 0) {
		c = cpu_get(l, p->cpu - 1);
		queue_was(l, c, time);
		c->queue--;
		if (cpu != 0)
			waited(l, c, p->since, time);
	}
	p->cpu = cpu;
	if (cpu == 0)
		return;
	p->since = time;
	queue_enter(l, cpu_get(l, cpu - 1), time);
}

/* After a loss of records the queue of no thread is known. */
static void
lost(struct cp_cpu_load *l)
{
	const struct cp_lost_spans *spans = &l->tasks->losses;
	uint64_t since =
	    spans->n != 0 ? spans->all[spans->n - 1].start : CP_NO_TIME;

	l->losses++;
	for (uint32_t i = 0; i < l->n_queues; i++) {
		struct cp_cpu_load_one *c = &l->cpu[l->queues[i]];

		queue_was(l, c, since);
		c->queue = 0;
		c->listed = false;
	}
	l->n_queues = 0;
}

/* ----------------------------------------------------------------- events */

static void
idle_end(const struct cp_cpu_load *l, struct cp_cpu_load_one *c, uint64_t time)
{
	if (c->idle_since != 0)
		c->idle += cp_run_kept_ns(l->run, c->idle_since, time);
	c->idle_since = 0;
}

/*
 * If another thread than the idle one leaves the CPU, its begin is missing: it
 * is unknown how long the CPU was idle before.
 */
static void
on_switch(const struct cp_cpu_load *l, struct cp_cpu_load_one *c,
    const struct cp_sched_event *ev)
{
	bool inside = cp_run_keeps_time(l->run, ev->time);

	c->switches += inside && ev->kind != CP_SCHED_IN;
	c->preemptions += inside && ev->runnable && ev->tid != 0;
	if (ev->kind != CP_SCHED_IN && ev->tid != 0)
		c->idle_since = 0;
	idle_end(l, c, ev->time);
	if (ev->next == 0)
		c->idle_since = ev->time;
}

void
cp_cpu_load_event(struct cp_cpu_load *l, const struct cp_sched_event *ev)
{
	const struct cp_spans *ts = l->tasks;
	struct cp_cpu_load_one *c = cpu_get(l, ev->cpu);

	if (ev->time == CP_NO_TIME || ts->first == CP_NO_TIME)
		return;
	/*
	 * A thread that gets the CPU leaves the queue before anything else is
	 * counted.
	 */
	if (ts->gone != NULL)
		place(l, ts->gone, ts->last);
	if (ts->next != NULL) {
		/*
		 * A thread gets a CPU, and was last seen in the queue of
		 * another one.
		 */
		const struct place *p = cp_slab_at(&l->queued, ts->next->index);

		l->moved += p->cpu != 0 && p->loss == l->losses &&
			    ev->cpu != CP_NO_ID && p->cpu != ev->cpu + 1;
		place(l, ts->next, ts->last);
	}
	if (ts->who != NULL)
		place(l, ts->who, ts->last);
	if (ev->kind == CP_SCHED_LOST)
		lost(l);
	if (c == NULL)
		return;
	switch (ev->kind) {
	case CP_SCHED_SWITCH: on_switch(l, c, ev); break;
	case CP_SCHED_OUT:
	case CP_SCHED_IN:
		/* Context-switch records repeat sched_switch. */
		if (!ts->switches)
			on_switch(l, c, ev);
		break;
	case CP_SCHED_WAKE:
	case CP_SCHED_WAKE_NEW:
		c->wakeups += cp_run_keeps_time(l->run, ev->time);
		break;
	case CP_SCHED_LOST: c->idle_since = 0; break;
	default: return;
	}
	c->seen = true;
}

void
cp_cpu_load_finish(struct cp_cpu_load *l, uint64_t time)
{
	uint64_t from, to;

	for (uint32_t i = 0; i < l->n; i++) {
		idle_end(l, &l->cpu[i], time);
		queue_was(l, &l->cpu[i], time);
	}
	cp_run_window(l->run, &from, &to);
	time = time < to ? time : to;
	l->end = time;
	if (l->base != CP_NO_TIME && time > l->base)
		slices_reach(l, time);
}

uint64_t
cp_cpu_load_length(const struct cp_cpu_load *l)
{
	return cp_run_kept_ns(l->run, l->tasks->first, l->end);
}

uint64_t
cp_cpu_load_slice(const struct cp_cpu_load *l, uint32_t slice)
{
	uint64_t length = UINT64_C(1) << l->shift;
	uint64_t start = l->base + ((uint64_t)slice << l->shift);

	length = l->end - start < length ? l->end - start : length;
	return cp_run_kept_ns(l->run, start, start + length);
}
