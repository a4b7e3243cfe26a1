/* SPDX-License-Identifier: MIT */
#include "analyses/report/report.h"

#define CPUS 65536u   /* more CPUs than any host has */
#define TICK 10000000 /* ns at most; a CPU without ticks has no work */

struct cp_pause_cpu {
	uint64_t last;  /* time of its last sample; 0: none */
	uint64_t gap;   /* between its last two */
	uint64_t since; /* when it was stopped; 0: it is not */
};

static struct cp_pause_cpu *
cpu_of(struct cp_pauses *p, uint32_t cpu, uint64_t time)
{
	if (cpu >= CPUS || time == CP_NO_TIME || time == 0)
		return NULL;
	cp_grow_to(p->run, p->cpus, &p->n, cpu);
	return &p->cpus[cpu];
}

static void
end_pause(struct cp_pauses *p, struct cp_pause_cpu *c, uint64_t time)
{
	uint64_t pause = time - c->since;

	if (pause > TICK)
		pause = TICK;
	/* Twice the gap: samples jitter. */
	if (c->since != 0 && time > c->since && pause > 2 * c->gap) {
		p->lost += pause - c->gap;
		p->times++;
	}
	c->since = 0;
}

void
cp_pauses_sample(struct cp_pauses *p, const struct cp_sample *s)
{
	struct cp_pause_cpu *c = cpu_of(p, s->cpu, s->time);

	if (c == NULL)
		return;
	if (c->since == 0 && c->last != 0 && s->time > c->last)
		c->gap = s->time - c->last;
	/* The event that was stopped is known if there is one. */
	if (p->events == 0)
		p->event = s->event;
	p->events |= s->event == p->event ? 1 : 2;
	if (p->events == 1)
		end_pause(p, c, s->time);
	c->last = s->time;
}

void
cp_pauses_event(struct cp_pauses *p, const struct cp_sideband *e)
{
	struct cp_pause_cpu *c;

	if (e->kind != CP_SIDE_THROTTLE && e->kind != CP_SIDE_UNTHROTTLE)
		return;
	c = cpu_of(p, e->cpu, e->time);
	if (c == NULL)
		return;
	p->timed = true;
	if (e->kind == CP_SIDE_UNTHROTTLE)
		end_pause(p, c, e->time);
	else if (c->since == 0)
		c->since = e->time;
}
