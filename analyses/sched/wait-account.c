/* SPDX-License-Identifier: MIT */
/*
 * runqueue: perf's account of waits for a CPU.
 *
 * It is separate from taskstate, which is more exact in some cases, because
 * users compare these numbers with perf's: a wake-up before its thread has left
 * the CPU, a thread whose switches do not fit each other.
 */
#include "analyses/sched/wait-account.h"

/* Waits that are held back: about 3 MiB; powers of two. */
#define LIMIT 65536u
#define FIRST 256u

void
cp_runqueue_init(struct cp_runqueue *q, struct cp_run *run,
    const struct cp_spans *tasks, cp_queue_wait_fn fn, void *ctx)
{
	*q = (struct cp_runqueue){
		.run = run, .tasks = tasks, .fn = fn, .ctx = ctx
	};
	cp_slab_init(&q->threads, run, sizeof(struct cp_runqueue_thread));
	cp_delays_pool_init(&q->pool, run, 0);
}

struct cp_runqueue_thread *
cp_runqueue_thread(struct cp_runqueue *q, uint32_t index)
{
	return cp_slab_at(&q->threads, index);
}

static void
leave(struct cp_runqueue *q, struct cp_runqueue_thread *r,
    const struct cp_sched_event *ev)
{
	bool kept = cp_run_keeps_time(q->run, ev->time);

	r->state = ev->runnable ? CP_WAIT_WAITING : CP_WAIT_SLEEPING;
	r->begun = ev->time;
	r->off_preempted = ev->runnable;
	r->active = true;
	r->voluntary += kept && !ev->runnable;
	r->involuntary += kept && ev->runnable;
}

/* ------------------------------------------------------------------- waits */

static struct cp_queue_wait *
held_at(const struct cp_runqueue *q, uint32_t i)
{
	return &q->held[(q->held_first + i) & (q->held_cap - 1)];
}

static void
count_oldest(struct cp_runqueue *q)
{
	const struct cp_queue_wait *w = held_at(q, 0);
	struct cp_runqueue_thread *r = cp_runqueue_thread(q, w->thread->index);
	uint64_t delay = w->end - w->start;

	q->held_first++;
	q->n_held--;
	if (cp_spans_lost_within(q->tasks, w->start, w->end)) {
		r->unknown++;
		return;
	}
	cp_delays_add(&q->pool, &r->delays, delay);
	if (delay > r->longest.end - r->longest.start)
		r->longest = *w;
}

static void
grow(struct cp_runqueue *q)
{
	uint32_t cap = q->held_cap != 0 ? 2 * q->held_cap : FIRST;
	struct cp_queue_wait *all = cp_run_alloc(q->run, cap * sizeof(*all));

	for (uint32_t i = 0; i < q->n_held; i++)
		all[i] = *held_at(q, i);
	cp_run_free(q->run, q->held, q->held_cap * sizeof(*all));
	q->held = all;
	q->held_cap = cap;
	q->held_first = 0;
}

static void
hold_part(struct cp_runqueue *q, const struct cp_queue_wait *w)
{
	if (q->n_held == LIMIT)
		count_oldest(q);
	else if (q->n_held == q->held_cap)
		grow(q);
	*held_at(q, q->n_held++) = *w;
	if (q->fn != NULL &&
	    !cp_spans_lost_within(q->tasks, w->start, UINT64_MAX))
		q->fn(q->ctx, w);
}

/* Holds back the parts of a wait that --time keeps. */
static void
hold(struct cp_runqueue *q, struct cp_queue_wait w)
{
	uint64_t end = w.end;

	if (!cp_run_keeps_cpu(q->run, w.cpu))
		return;
	cp_runqueue_thread(q, w.thread->index)->active = true;
	if (w.start == end && cp_run_keeps_time(q->run, end))
		hold_part(q, &w);
	for (; cp_run_cut(q->run, &w.start, &w.end);
	     w.start = w.end, w.end = end)
		hold_part(q, &w);
}

void
cp_runqueue_each_held(
    const struct cp_runqueue *q, cp_queue_wait_fn fn, void *ctx)
{
	for (uint32_t i = 0; i < q->n_held; i++)
		fn(ctx, held_at(q, i));
}

void
cp_runqueue_finish(struct cp_runqueue *q)
{
	while (q->n_held != 0)
		count_oldest(q);
}

/* ------------------------------------------------------------------ events */

static void
enter(struct cp_runqueue *q, const struct cp_sched_thread *t,
    struct cp_runqueue_thread *r, const struct cp_sched_event *ev)
{
	struct cp_queue_wait w = { .thread = t,
		.start = r->begun,
		.end = ev->time,
		.cpu = ev->cpu,
		.other = r->off_preempted ? t->taker : t->waker.thread,
		.other_cpu = t->waker.cpu,
		.preempted = r->off_preempted,
		.interrupt = !r->off_preempted && t->waker.interrupt };

	if (r->state == CP_WAIT_NEW && ev->kind == CP_SCHED_SWITCH) {
		w.start = ev->time;
		r->first_zero++;
		r->state = CP_WAIT_WAITING;
	}
	if (r->state == CP_WAIT_WAITING && w.start <= w.end)
		hold(q, w);
	if (r->state == CP_WAIT_WAITING)
		r->state = CP_WAIT_RUNNING;
	if (r->last_cpu != 0 && r->last_cpu != ev->cpu + 1) {
		r->many_cpus = true;
		r->migrations +=
		    !q->migrates && cp_run_keeps_time(q->run, ev->time);
	}
	r->last_cpu = ev->cpu + 1;
}

static void
wake(struct cp_runqueue_thread *r, const struct cp_sched_event *ev)
{
	if (r->state == CP_WAIT_NEW) {
		r->state = CP_WAIT_SLEEPING;
		r->begun = ev->time;
	}
	if (r->state != CP_WAIT_SLEEPING || r->begun > ev->time)
		return;
	r->state = CP_WAIT_WAITING;
	r->begun = ev->time;
	r->off_preempted = false;
}

static void
ran(struct cp_runqueue *q, struct cp_runqueue_thread *r,
    const struct cp_sched_event *ev)
{
	if (r->state == CP_WAIT_NEW) {
		r->state = CP_WAIT_WAITING;
		r->begun = ev->time;
	}
	if (!cp_run_keeps_cpu(q->run, ev->cpu))
		return;
	r->active = true;
	if (cp_run_keeps_time(q->run, ev->time))
		r->run_ns += ev->value;
}

static void
act(struct cp_runqueue *q, struct cp_runqueue_thread *r,
    const struct cp_sched_event *ev)
{
	switch (ev->kind) {
	case CP_SCHED_SWITCH:
	case CP_SCHED_OUT: leave(q, r, ev); break;
	case CP_SCHED_WAKE:
	case CP_SCHED_WAKE_NEW: wake(r, ev); break;
	case CP_SCHED_RUNTIME: ran(q, r, ev); break;
	case CP_SCHED_MIGRATE:
		q->migrates = true;
		r->migrations += cp_run_keeps_time(q->run, ev->time);
		break;
	default: break;
	}
}

void
cp_runqueue_event(struct cp_runqueue *q, const struct cp_sched_event *ev)
{
	const struct cp_sched_thread *who = q->tasks->who;
	const struct cp_sched_thread *next = q->tasks->next;
	struct cp_runqueue_thread *r =
	    who != NULL ? cp_runqueue_thread(q, who->index) : NULL;

	if (r != NULL)
		act(q, r, ev);
	if (next != NULL)
		enter(q, next, cp_runqueue_thread(q, next->index), ev);
}
