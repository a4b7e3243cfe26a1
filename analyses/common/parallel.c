/* SPDX-License-Identifier: MIT */
#include "analyses/common/parallel.h"

#include "analyses/common/event.h"

#define INTERVALS 16 /* of a window: enough to tell one thread from two */
/* more than one thread: between one and two */
#define SEVERAL 1.5

static void
end_window(struct cp_parallel *p)
{
	double threads = p->n * p->interval / (double)p->width;
	double of_sample = p->interval / (threads > 1 ? threads : 1);
	uint64_t time = (uint64_t)of_sample;
	bool one = true;

	for (uint32_t i = 1; i < p->n; i++)
		one &= p->tid[i] == p->tid[0];
	one |= threads < SEVERAL;
	for (uint32_t i = 0; one && i < p->n; i++)
		cp_tally_add(p->alone_at, 0, p->window[i], time);
	p->elapsed += p->width;
	p->busy += p->n * p->interval;
	if (p->n != 0)
		*(one ? &p->alone : &p->several) += p->n * time;
	p->n = 0;
	p->begin += p->width;
}

void
cp_parallel_sample(struct cp_parallel *p, const struct cp_sample *s)
{
	uint32_t cap = p->cap;

	if (s->time == CP_NO_TIME || s->tid == 0 || s->tid == CP_NO_ID)
		return;
	if (p->width == 0) {
		p->event = s->event;
		p->interval = cp_event_interval(cp_run_evsel(p->run, s->event));
		p->begin = s->time;
		p->width = (uint64_t)(INTERVALS * p->interval);
	}
	if (s->event != p->event || p->width == 0 || s->time < p->begin)
		return;
	if (s->time - p->begin >= p->width) {
		uint64_t skip;

		end_window(p);
		skip = (s->time - p->begin) / p->width;
		p->elapsed += skip * p->width;
		p->begin += skip * p->width;
	}
	cp_grow_to(p->run, p->window, &cap, p->n);
	cp_grow_to(p->run, p->tid, &p->cap, p->n);
	p->window[p->n] = s->stack;
	p->tid[p->n++] = s->tid;
}

bool
cp_parallel_end(struct cp_parallel *p, uint32_t event)
{
	if (p->width == 0 || p->event != event || cp_run_merged(p->run))
		return false;
	/* The last window is incomplete, so it is not used. */
	return p->elapsed != 0;
}
