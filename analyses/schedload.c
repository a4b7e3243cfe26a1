/* SPDX-License-Identifier: MIT */
#include "analyses/schedload.h"

enum { FIRST_SHIFT = 20 };

struct place {
	uint32_t cpu; /* + 1; 0: it does not wait */
	uint32_t loss; /* ... since that one */
};

void
cp_load_init(struct cp_load *l, struct cp_run *run,
    const struct cp_taskstate *tasks)
{
	*l = (struct cp_load) { .run = run, .tasks = tasks,
		.shift = FIRST_SHIFT, .base = CP_NO_TIME };
	cp_slab_init(&l->queued, run, sizeof(struct place));
}

static void
cpus_grow(struct cp_load *l, uint32_t cpu)
{
	uint32_t n = cpu < 16 ? 32 : 2 * cpu;
	struct cp_load_cpu *all = cp_run_alloc(l->run, n * sizeof(*all));

	if (l->n != 0)
		memcpy(all, l->cpu, l->n * sizeof(*all));
	l->cpu = all;
	l->n = n;
}

/* NULL: not told. */
static inline struct cp_load_cpu *
cpu_get(struct cp_load *l, uint32_t cpu)
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
	for (int i = 0; slice != NULL && i < CP_LOAD_SLICES; i++)
		slice[i] = i < CP_LOAD_SLICES / 2
		    ? slice[2 * i] + slice[2 * i + 1]
		    : 0;
}

static void
slices_reach(struct cp_load *l, uint64_t time)
{
	while ((time - l->base) >> l->shift >= CP_LOAD_SLICES) {
		l->shift++;
		for (uint32_t i = 0; i < l->n; i++) {
			halve(l->cpu[i].busy_in);
			halve(l->cpu[i].waited_in);
		}
	}
}

static void
slices_add(struct cp_load *l, uint64_t **slices, uint64_t start, uint64_t end)
{
	uint64_t at, edge;

	if (*slices == NULL)
		*slices = cp_run_alloc(
		    l->run, CP_LOAD_SLICES * sizeof(**slices));
	if (start < l->base)
		start = l->base;
	slices_reach(l, end);
	for (; start < end; start = edge) {
		at = (start - l->base) >> l->shift;
		edge = l->base + ((at + 1) << l->shift);
		/* The last slice may end beyond what can be counted. */
		if (edge > end || edge <= start)
			edge = end;
		(*slices)[at] += edge - start;
	}
}

void
cp_load_span(struct cp_load *l, const struct cp_span *s)
{
	struct cp_load_cpu *c;

	if (s->kind == CP_SPAN_BLOCKED || s->kind == CP_SPAN_UNKNOWN)
		return;
	c = cpu_get(l, s->thread->cpu);
	if (c == NULL)
		return;
	if (l->base == CP_NO_TIME)
		l->base = l->tasks->first;
	if (s->kind == CP_SPAN_RUNNING) {
		c->busy += s->end - s->start;
		slices_add(l, &c->busy_in, s->start, s->end);
	} else {
		c->waited += s->end - s->start;
		slices_add(l, &c->waited_in, s->start, s->end);
	}
}

/* ----------------------------------------------------------------- queues */

static void
place(struct cp_load *l, const struct cp_sched_thread *t, uint64_t time)
{
	struct place *p = cp_slab_at(&l->queued, t->index);
	bool waits = t->kind == CP_SPAN_WOKEN || t->kind == CP_SPAN_PREEMPTED;
	uint32_t cpu = waits && t->cpu < CP_SCHED_CPUS ? t->cpu + 1 : 0;
	struct cp_load_cpu *c;

	if (p->loss != l->losses)
		p->cpu = 0;
	p->loss = l->losses;
	if (p->cpu == cpu)
		return;
	if (p->cpu != 0)
		cpu_get(l, p->cpu - 1)->queue--;
	p->cpu = cpu;
	if (cpu == 0)
		return;
	c = cpu_get(l, cpu - 1);
	if (++c->queue > c->queue_max) {
		c->queue_max = c->queue;
		c->queue_max_at = time;
	}
}

/* Who waits where is not known any more. */
static void
lost(struct cp_load *l)
{
	l->losses++;
	for (uint32_t i = 0; i < l->n; i++)
		l->cpu[i].queue = 0;
}

/* ----------------------------------------------------------------- events */

static void
idle_end(struct cp_load_cpu *c, uint64_t time)
{
	if (c->idle_since != 0 && time > c->idle_since)
		c->idle += time - c->idle_since;
	c->idle_since = 0;
}

static void
on_switch(struct cp_load_cpu *c, const struct cp_sched_event *ev)
{
	c->switches += ev->kind != CP_SCHED_IN;
	c->preemptions += ev->runnable && ev->tid != 0;
	idle_end(c, ev->time);
	if (ev->next == 0)
		c->idle_since = ev->time;
}

void
cp_load_event(struct cp_load *l, const struct cp_sched_event *ev)
{
	const struct cp_taskstate *ts = l->tasks;
	struct cp_load_cpu *c = cpu_get(l, ev->cpu);

	if (ev->time == CP_NO_TIME)
		return;
	/* The one that gets the CPU leaves the queue first. */
	if (ts->next != NULL)
		place(l, ts->next, ev->time);
	if (ts->who != NULL)
		place(l, ts->who, ev->time);
	if (c == NULL || ts->first == CP_NO_TIME)
		return;
	switch (ev->kind) {
	case CP_SCHED_SWITCH: on_switch(c, ev); break;
	case CP_SCHED_OUT:
	case CP_SCHED_IN:
		/* They repeat what SWITCH has told. */
		if (!ts->switches)
			on_switch(c, ev);
		break;
	case CP_SCHED_WAKE:
	case CP_SCHED_WAKE_NEW: c->wakeups++; break;
	case CP_SCHED_LOST:
		c->idle_since = 0;
		lost(l);
		break;
	default: return;
	}
	c->seen = true;
}

void
cp_load_finish(struct cp_load *l, uint64_t time)
{
	for (uint32_t i = 0; i < l->n; i++)
		idle_end(&l->cpu[i], time);
	if (l->base != CP_NO_TIME && time > l->base)
		slices_reach(l, time);
}
