/* SPDX-License-Identifier: MIT */
#include "analyses/sched/gather.h"

struct cp_sched_sum *
cp_sched_sum(struct cp_sched *s, uint32_t thread)
{
	return cp_slab_at(&s->sums, thread);
}

static void
flush(struct cp_sched *s, uint32_t thread, struct cp_sched_sum *sum, int i)
{
	if (sum->times[i] != 0)
		cp_tally_add(s->wakers, thread, sum->waker[i], sum->times[i]);
	sum->times[i] = 0;
}

/*
 * Counts wakers in a small cache first: a thread is mostly woken by the same
 * few.
 */
static void
woken(struct cp_sched *s, const struct cp_sched_thread *t)
{
	struct cp_sched_sum *sum = cp_sched_sum(s, t->index);
	uint32_t waker = t->waker.interrupt            ? CP_SCHED_INTERRUPT
			 : t->waker.thread == CP_NO_ID ? CP_SCHED_IDLE
						       : t->waker.thread;
	int i = (int)(waker % CP_SCHED_WAKERS);

	sum->wakeups++;
	if (sum->waker[i] != waker || sum->times[i] == UINT32_MAX)
		flush(s, t->index, sum, i);
	sum->waker[i] = waker;
	sum->times[i]++;
}

void
cp_sched_wakers_flush(struct cp_sched *s)
{
	for (uint32_t t = 0; t < s->tasks->n_threads; t++)
		for (int i = 0; i < CP_SCHED_WAKERS; i++)
			flush(s, t, cp_sched_sum(s, t), i);
}

static void
on_span(void *ctx, const struct cp_span *span)
{
	struct cp_sched *s = ctx;
	struct cp_sched_sum *sum = cp_sched_sum(s, span->thread->index);

	sum->ns[span->kind] += span->end - span->start;
	if (span->kind == CP_SPAN_RUNNING &&
	    cp_run_keeps_cpu(s->run, span->thread->cpu))
		sum->ran += span->end - span->start;
	sum->open += span->open != 0;
	if (span->woken && (span->open & CP_SPAN_CUT_END) == 0)
		woken(s, span->thread);
	cp_cpu_load_span(&s->load, span);
}

static void
on_wait(void *ctx, const struct cp_queue_wait *w)
{
	struct cp_sched *s = ctx;

	cp_worst_wait(&s->worst, w);
}

void
cp_sched_init(struct cp_sched *s, struct cp_run *run, uint32_t worst)
{
	s->run = run;
	s->tasks = cp_run_spans(run, on_span, s);
	cp_runqueue_init(&s->queue, run, s->tasks, on_wait, s);
	cp_slab_init(&s->sums, run, sizeof(struct cp_sched_sum));
	cp_cpu_load_init(&s->load, run, s->tasks);
	cp_worst_init(&s->worst, run, &s->queue, worst);
	cp_schedrows_init(&s->rows, run, s->tasks, false);
	cp_schedrows_init(&s->moves, run, s->tasks, true);
	s->wakers = cp_tally_new(run);
}

void
cp_sched_take(struct cp_sched *s)
{
	const struct cp_sched_event *ev = &s->tasks->event;

	if (ev->kind == CP_SCHED_NONE)
		return;
	cp_worst_leave(&s->worst, ev);
	cp_runqueue_event(&s->queue, ev);
	if (ev->kind == CP_SCHED_RUNTIME)
		return;
	cp_cpu_load_event(&s->load, ev);
	cp_worst_event(&s->worst, ev);
	if (s->timehist)
		cp_schedrows_event(&s->rows, ev);
	if (s->map)
		cp_schedrows_event(&s->moves, ev);
}

bool
cp_sched_finish(struct cp_sched *s)
{
	cp_worst_again(&s->worst);
	cp_runqueue_finish(&s->queue);
	cp_cpu_load_finish(&s->load, s->tasks->last);
	return cp_spans_source(s->tasks) != CP_SCHED_BY_NOTHING;
}

uint64_t
cp_sched_life(struct cp_sched *s, const struct cp_sched_thread *t)
{
	return cp_run_kept_ns(s->run, cp_sched_thread_start(s->tasks, t),
	    cp_sched_thread_end(s->tasks, t));
}

bool
cp_sched_shows(struct cp_sched *s, const struct cp_sched_thread *t)
{
	const struct cp_runqueue_thread *r =
	    cp_runqueue_thread(&s->queue, t->index);

	if (!r->active ||
	    !cp_run_keeps_some(s->run, cp_sched_thread_start(s->tasks, t),
		cp_sched_thread_end(s->tasks, t)))
		return false;
	return cp_run_keeps_task(s->run, cp_sched_thread_pid(s->tasks, t),
	    t->tid, cp_sched_thread_name(s->tasks, t));
}

uint64_t
cp_sched_run_ns(struct cp_sched *s, const struct cp_sched_thread *t)
{
	if (s->tasks->seen[CP_SCHED_RUNTIME] != 0)
		return cp_runqueue_thread(&s->queue, t->index)->run_ns;
	return cp_sched_sum(s, t->index)->ran;
}
