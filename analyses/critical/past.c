/* SPDX-License-Identifier: MIT */
/*
 * past: spans and samples of all threads, kept so that they are found by thread
 * and time.  They are in a spill; of each thread a mark of every sixteenth is
 * in memory.
 */
#include "analyses/critical/critical.h"

#include "analyses/common/event.h"

#define MARKS 16u /* of so many spans one has a mark */

void
cp_past_init(struct cp_past *p, struct cp_run *run)
{
	*p = (struct cp_past){ .run = run, .event = CP_NO_ID };
	p->spans = cp_spill_new(run);
	p->samples = cp_spill_new(run);
	cp_index_init(&p->tids, run);
}

/* Appends; returns the number + 1 of the one before. */
static uint32_t
append(struct cp_past *p, struct cp_past_chain *c, uint32_t i, uint64_t time)
{
	uint32_t before = c->last;

	if (c->n++ % MARKS == 0) {
		cp_grow_to(p->run, c->mark, &c->cap, c->n_marks);
		c->mark[c->n_marks++] = (struct cp_past_mark){ time, i };
	}
	c->last = i + 1;
	return before;
}

void
cp_past_add(struct cp_past *p, const struct cp_span *s)
{
	const struct cp_sched_thread *t = s->thread;
	struct cp_past_span k = { .start = s->start,
		.end = s->end,
		.thread = t->index,
		.cpu = t->cpu,
		.waker = s->woken && !t->waker.interrupt ? t->waker.thread
							 : CP_NO_ID,
		.waker_stack = s->woken ? t->waker.stack : 0,
		.interrupt = s->woken && t->waker.interrupt,
		.kind = s->kind,
		.letter = '?',
		.open = s->open,
		.woken = s->woken && (s->open & CP_SPAN_CUT_END) == 0,
		.after_loss = s->after_loss };

	if (s->end <= s->start || p->n_spans == UINT32_MAX - 1)
		return;
	if (!s->after_loss) {
		k.stack = t->stack;
		k.letter = (uint8_t)t->letter;
	}
	cp_grow_to(p->run, p->of_thread, &p->thread_cap, t->index);
	k.before = append(p, &p->of_thread[t->index], p->n_spans, s->start);
	if (s->kind == CP_SPAN_RUNNING && t->cpu < CP_SCHED_CPUS) {
		cp_grow_to(p->run, p->of_cpu, &p->cpu_cap, t->cpu);
		k.before_on_cpu =
		    append(p, &p->of_cpu[t->cpu], p->n_spans, s->start);
	}
	cp_spill_add(p->spans, &k, sizeof(k));
	p->n_spans++;
}

void
cp_past_sample(struct cp_past *p, const struct cp_sample *s)
{
	struct cp_past_sample k = { .time = s->time, .stack = s->stack };
	uint32_t i;

	if (s->time == CP_NO_TIME || s->tid == 0 || s->tid == CP_NO_ID ||
	    p->n_samples == UINT32_MAX - 1)
		return;
	if (p->event == CP_NO_ID &&
	    (p->event = cp_event_of_time(p->run)) == CP_NO_ID)
		return;
	if (s->event != p->event)
		return;
	i = cp_index_put(&p->tids, s->tid, 0);
	cp_grow_to(p->run, p->of_tid, &p->tid_cap, i);
	k.before = append(p, &p->of_tid[i], p->n_samples++, s->time);
	cp_spill_add(p->samples, &k, sizeof(k));
}

bool
cp_past_read(struct cp_past *p, uint32_t i, struct cp_past_span *out)
{
	if (i >= p->n_spans || p->failed)
		return false;
	p->failed = !cp_spill_read(
	    p->spans, (uint64_t)i * sizeof(*out), out, sizeof(*out));
	return !p->failed;
}

bool
cp_past_read_sample(struct cp_past *p, uint32_t i, struct cp_past_sample *out)
{
	if (i >= p->n_samples || p->failed)
		return false;
	p->failed = !cp_spill_read(
	    p->samples, (uint64_t)i * sizeof(*out), out, sizeof(*out));
	return !p->failed;
}

/* Where to begin to look for the last one before a time: number + 1. */
static uint32_t
begin_at(const struct cp_past_chain *c, uint64_t time)
{
	uint32_t low = 0, high = c->n_marks;

	while (low < high) {
		uint32_t at = low + (high - low) / 2;

		if (c->mark[at].time < time)
			low = at + 1;
		else
			high = at;
	}
	return low < c->n_marks ? c->mark[low].number + 1 : c->last;
}

bool
cp_past_before(
    struct cp_past *p, uint32_t thread, uint64_t time, struct cp_past_span *out)
{
	uint32_t i;

	if (thread >= p->thread_cap)
		return false;
	i = begin_at(&p->of_thread[thread], time);
	while (i != 0 && cp_past_read(p, i - 1, out)) {
		if (out->start < time)
			return true;
		i = out->before;
	}
	return false;
}

bool
cp_past_on_cpu(
    struct cp_past *p, uint32_t cpu, uint64_t time, struct cp_past_span *out)
{
	uint32_t i;

	if (cpu >= p->cpu_cap)
		return false;
	i = begin_at(&p->of_cpu[cpu], time);
	while (i != 0 && cp_past_read(p, i - 1, out)) {
		if (out->start < time)
			return true;
		i = out->before_on_cpu;
	}
	return false;
}

bool
cp_past_sampled(
    struct cp_past *p, uint32_t tid, uint64_t time, struct cp_past_sample *out)
{
	uint32_t n = cp_index_get(&p->tids, tid, 0), i;

	if (n == CP_NO_ID)
		return false;
	i = begin_at(&p->of_tid[n], time + (time != UINT64_MAX));
	while (i != 0 && cp_past_read_sample(p, i - 1, out)) {
		if (out->time <= time)
			return true;
		i = out->before;
	}
	return false;
}
