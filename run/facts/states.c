/* SPDX-License-Identifier: MIT */
/*
 * spans: the state machine of threads.
 *
 * Each event of the scheduler ends the span of its thread and proves what the
 * thread was doing.  If that contradicts the state machine, or if a record was
 * lost in between, the uncertain part is passed on as unknown.  Needs
 * sched_switch or context-switch records.  Without wake-ups, the wait for a CPU
 * after a wake-up counts as blocked.
 */
#include "run/facts/facts.h"

#include <string.h>

static uint32_t
index_of(const struct cp_sched_thread *t)
{
	return t != NULL ? t->index : CP_NO_ID;
}

/* Tries the CPU's running thread first: an event is mostly about it. */
static struct cp_sched_thread *
thread_near(struct cp_taskstate *ts, const struct cp_sched_cpu *c, uint32_t tid)
{
	struct cp_sched_thread *t;

	if (c != NULL && c->current < CP_THREAD_IDLE) {
		t = cp_taskstate_thread(ts, c->current);
		if (t->tid == tid && t->ended == CP_NO_TIME)
			return t;
	}
	return cp_thread_get(ts, tid);
}

/* --------------------------------------------------------------- switches */

static bool
runs_on(const struct cp_sched_thread *t, const struct cp_sched_cpu *c)
{
	return t->kind == CP_SPAN_RUNNING &&
	       (c == NULL || c->current == t->index);
}

/* The thread runs from now on. */
static void
enter(struct cp_taskstate *ts, struct cp_sched_thread *t,
    const struct cp_sched_event *ev)
{
	struct cp_evidence e = { .end = ev->time, .from = CP_NO_TIME };

	if (cp_skew_begins(ts, t, ev))
		return;
	if (t->kind == CP_SPAN_RUNNING)
		cp_thread_forget(ts, t);
	/*
	 * The wake-up came before the thread had left the CPU, or it is a
	 * fork's.
	 */
	if (t->kind == CP_SPAN_BLOCKED && (t->woken_early || t->letter == 'N'))
		t->kind = CP_SPAN_WOKEN;
	e.really = cp_span_touched(ts, t) ? CP_SPAN_UNKNOWN : t->kind;
	cp_span_end(ts, t, &e);
	t->cpu = ev->cpu;
	cp_span_begin(ts, t, CP_SPAN_RUNNING);
}

/* The thread ran until now. */
static void
leave(struct cp_taskstate *ts, struct cp_sched_thread *t,
    const struct cp_sched_cpu *c, const struct cp_sched_event *ev)
{
	struct cp_evidence e = { .end = ev->time,
		.really = CP_SPAN_RUNNING,
		.from = c != NULL ? c->known : CP_NO_TIME };
	uint64_t early = cp_skew_ends(ts, t, ev);
	bool woken_early = t->woken_early;

	if (!runs_on(t, c)) {
		if (t->kind == CP_SPAN_RUNNING)
			cp_thread_forget(ts, t);
		if (c != NULL && c->current != CP_NO_ID)
			e.really = CP_SPAN_UNKNOWN;
	}
	cp_span_end(ts, t, &e);
	t->cpu = ev->cpu;
	t->letter = ev->letter;
	t->stack = ev->stack;
	t->taker = CP_NO_ID;
	t->woken_early = woken_early;
	if (ev->pid != CP_NO_ID)
		t->pid = ev->pid;
	cp_span_begin(
	    ts, t, ev->runnable ? CP_SPAN_PREEMPTED : CP_SPAN_BLOCKED);
	if (ev->dead ||
	    (t->exiting && ev->kind == CP_SCHED_OUT && !ev->runnable))
		t->ended = ev->time;
	if (early != CP_NO_TIME) {
		struct cp_sched_event begun = { .time = ev->time,
			.cpu = t->early_cpu };

		enter(ts, t, &begun);
		t->since = early;
	}
}

/* Takes names from events if no COMM record gives one. */
static void
rename_from(const struct cp_sched_event *ev, struct cp_sched_thread *t)
{
	char name[CP_SCHED_NAME];

	if (t->comm == 0 && cp_sched_event_name(ev, t->tid, name))
		memcpy(t->name, name, sizeof(name));
}

static void
on_switch(struct cp_taskstate *ts, const struct cp_sched_event *ev)
{
	struct cp_sched_cpu *c = cp_cpu_get(ts, ev->cpu);
	struct cp_sched_thread *prev = thread_near(ts, c, ev->tid), *next;
	uint32_t expected = prev != NULL ? prev->index : CP_THREAD_IDLE;

	ts->pub.switches = true;
	ts->pub.idles |= ev->tid == 0;
	ts->pub.misfits +=
	    c != NULL && c->current != CP_NO_ID && c->current != expected;
	if (prev != NULL)
		leave(ts, prev, c, ev);
	if (c != NULL && ev->next == CP_NO_ID)
		c->known = CP_NO_TIME;
	/* If the dead thread's tid appears again, it is another thread. */
	next = cp_thread_get(ts, ev->next);
	if (prev != NULL)
		prev->taker = index_of(next);
	ts->pub.who = prev;
	ts->pub.next = next;
	if (c != NULL && c->current != expected)
		cp_cpu_forget(ts, c);
	if (next != NULL) {
		enter(ts, next, ev);
		rename_from(ev, next);
	}
	if (c != NULL) {
		c->current = next != NULL    ? next->index
			     : ev->next == 0 ? CP_THREAD_IDLE
					     : CP_NO_ID;
		c->current_last = ev->time;
	}
}

/* The CPU is not known to be idle. */
static bool
busy(const struct cp_sched_cpu *c)
{
	return c == NULL || c->current != CP_THREAD_IDLE;
}

/*
 * The records repeat sched_switch if that was recorded, too: the thread has
 * left the CPU, which runs another one.
 */
static void
on_out(struct cp_taskstate *ts, const struct cp_sched_event *ev)
{
	struct cp_sched_cpu *c = cp_cpu_get(ts, ev->cpu);
	struct cp_sched_thread *t = cp_thread_get(ts, ev->tid);

	if (ts->pub.switches && (t != NULL ? !runs_on(t, c) : busy(c)))
		return;
	ts->pub.who = t;
	if (t != NULL)
		leave(ts, t, c, ev);
	if (c == NULL)
		return;
	if (c->current != (t != NULL ? t->index : CP_THREAD_IDLE))
		cp_cpu_forget(ts, c);
	c->current = CP_NO_ID;
	c->known = CP_NO_TIME;
}

static void
on_in(struct cp_taskstate *ts, const struct cp_sched_event *ev)
{
	struct cp_sched_cpu *c = cp_cpu_get(ts, ev->cpu);
	struct cp_sched_thread *t = cp_thread_get(ts, ev->next);

	if (t != NULL && runs_on(t, c))
		return;
	ts->pub.next = t;
	ts->pub.begins = true;
	if (c != NULL && c->current < CP_THREAD_IDLE)
		cp_cpu_forget(ts, c);
	if (t != NULL)
		enter(ts, t, ev);
	if (c != NULL) {
		c->current = t != NULL ? t->index : CP_THREAD_IDLE;
		c->current_last = ev->time;
	}
}

/* --------------------------------------------------------------- wake-ups */

static void
on_wake(struct cp_taskstate *ts, const struct cp_sched_event *ev)
{
	const struct cp_sched_cpu *c = cp_cpu_get(ts, ev->cpu);
	struct cp_sched_thread *t = cp_thread_get(ts, ev->tid);
	struct cp_sched_thread *actor = thread_near(ts, c, ev->actor);
	struct cp_evidence e = {
		.end = ev->time, .woken = true, .really = CP_SPAN_BLOCKED
	};
	bool queued;

	ts->pub.who = t;
	if (t == NULL)
		return;
	queued = t->kind == CP_SPAN_PREEMPTED || t->kind == CP_SPAN_WOKEN;
	if (queued && !cp_span_touched(ts, t))
		return;
	t->waker = (struct cp_span_waker){ .thread = index_of(actor),
		.cpu = ev->cpu,
		.stack = ev->stack,
		.interrupt = ev->interrupt };
	if (t->kind == CP_SPAN_RUNNING) {
		t->woken_early = true;
		return;
	}
	if (ev->kind == CP_SCHED_WAKE_NEW && !t->started &&
	    t->born == CP_NO_TIME)
		t->born = t->since = ev->time;
	/* Nothing is known about the time before its first event. */
	if (!t->started && t->born == CP_NO_TIME)
		e.really = CP_SPAN_UNKNOWN;
	cp_span_end(ts, t, &e);
	if (ev->to_cpu != CP_NO_ID)
		t->cpu = ev->to_cpu;
	cp_span_begin(ts, t, CP_SPAN_WOKEN);
	if (t->name[0] == '\0')
		rename_from(ev, t);
}

/* -------------------------------------------------------- birth and death */

/*
 * A thread's last switch may not be recorded; it comes soon after its EXIT
 * record.
 */
static bool
exited(struct cp_taskstate *ts, struct cp_sched_thread *t)
{
	struct cp_evidence e = { .end = t->exit, .really = CP_SPAN_RUNNING };

	if (!t->exiting)
		return false;
	if (t->since < t->exit)
		cp_span_end(ts, t, &e);
	t->ended = t->since;
	return true;
}

/* Retires a thread whose last switch was not seen: its tid is used again. */
static void
thread_retire(struct cp_taskstate *ts, struct cp_sched_thread *t, uint64_t time)
{
	struct cp_evidence e = { .end = time, .really = CP_SPAN_UNKNOWN };

	if (t->kind == CP_SPAN_RUNNING)
		cp_thread_forget(ts, t);
	if (!exited(ts, t)) {
		cp_span_end(ts, t, &e);
		t->ended = time;
	}
	ts->pub.gone = t;
}

static void
on_fork(struct cp_taskstate *ts, const struct cp_sched_event *ev)
{
	struct cp_sched_thread *t = cp_taskstate_find(ts, ev->tid);

	if (ev->tid == 0 || ev->tid == CP_NO_ID)
		return;
	if (t != NULL && t->ended == CP_NO_TIME) {
		if (ev->again && !t->started && t->born != CP_NO_TIME)
			return;
		thread_retire(ts, t, ev->time);
	}
	t = cp_thread_new(ts, ev->tid);
	t->born = t->since = ev->time;
	t->pid = ev->pid;
	t->letter = 'N';
	cp_span_begin(ts, t, CP_SPAN_BLOCKED);
}

static void
on_exit_record(struct cp_taskstate *ts, const struct cp_sched_event *ev)
{
	struct cp_sched_thread *t = cp_taskstate_find(ts, ev->tid);

	cp_taskstate_unsample(ts, ev->tid);
	if (t == NULL || t->ended != CP_NO_TIME)
		return;
	ts->pub.running -= t->kind == CP_SPAN_RUNNING && !t->exiting;
	t->exiting = true;
	t->exit = ev->time;
	if (ev->pid != CP_NO_ID)
		t->pid = ev->pid;
}

static void
on_comm(struct cp_taskstate *ts, const struct cp_sched_event *ev)
{
	struct cp_sched_thread *t = cp_taskstate_find(ts, ev->tid);

	if (t == NULL || t->ended != CP_NO_TIME)
		return;
	t->was_kept |= cp_sched_thread_kept(&ts->pub, t);
	t->comm = cp_thread_comm(ts, ev->tid);
	if (ev->pid != CP_NO_ID)
		t->pid = ev->pid;
}

static void
on_migrate(struct cp_taskstate *ts, const struct cp_sched_event *ev)
{
	struct cp_sched_thread *t = cp_thread_get(ts, ev->tid);

	ts->pub.who = t;
	if (t == NULL || t->kind == CP_SPAN_RUNNING || ev->to_cpu == CP_NO_ID)
		return;
	if (t->cpu != ev->to_cpu)
		t->moved = ev->time;
	t->cpu = ev->to_cpu;
}

/* ----------------------------------------------------------------- events */

static void
dispatch(struct cp_taskstate *ts, const struct cp_sched_event *ev)
{
	switch ((enum cp_sched_kind)ev->kind) {
	case CP_SCHED_SWITCH: on_switch(ts, ev); break;
	case CP_SCHED_OUT: on_out(ts, ev); break;
	case CP_SCHED_IN: on_in(ts, ev); break;
	case CP_SCHED_WAKE:
	case CP_SCHED_WAKE_NEW: on_wake(ts, ev); break;
	case CP_SCHED_MIGRATE: on_migrate(ts, ev); break;
	case CP_SCHED_FORK: on_fork(ts, ev); break;
	case CP_SCHED_EXIT: on_exit_record(ts, ev); break;
	case CP_SCHED_LOST: cp_forget_lost(ts, ev); break;
	case CP_SCHED_RUNTIME:
		ts->pub.who = thread_near(ts, cp_cpu_get(ts, ev->cpu), ev->tid);
		break;
	case CP_SCHED_COMM: on_comm(ts, ev); break;
	case CP_SCHED_NONE:
	case CP_SCHED_KINDS: break;
	}
}

static void
cpu_seen(struct cp_taskstate *ts, const struct cp_sched_event *ev)
{
	struct cp_sched_cpu *c = cp_cpu_get(ts, ev->cpu);
	uint32_t actor;

	if (c == NULL)
		return;
	cp_cpu_seen(ts, c, ev->time);
	if (c->current >= CP_THREAD_IDLE || ev->actor == CP_NO_ID)
		return;
	actor = cp_taskstate_thread(ts, c->current)->tid;
	if (actor == ev->actor)
		c->current_last = ev->time;
}

/*
 * Events of threads that ended before the scheduler was recorded do not count.
 */
static bool
tells(uint8_t kind)
{
	return kind == CP_SCHED_SWITCH || kind == CP_SCHED_OUT ||
	       kind == CP_SCHED_IN || kind == CP_SCHED_WAKE ||
	       kind == CP_SCHED_WAKE_NEW || kind == CP_SCHED_MIGRATE ||
	       kind == CP_SCHED_RUNTIME;
}

/* Spans of a thread never go back in time: a late event counts as of now. */
void
cp_taskstate_event(struct cp_taskstate *ts, const struct cp_sched_event *in)
{
	const struct cp_sched_event *ev = in;
	struct cp_sched_event late;
	struct cp_sched_cpu *c;

	ts->pub.who = ts->pub.next = ts->pub.gone = NULL;
	if (ev->kind == CP_SCHED_LOST)
		cp_forget_count(ts, ev);
	if (ev->time == CP_NO_TIME) {
		if (ev->kind == CP_SCHED_COMM)
			on_comm(ts, ev);
		return;
	}
	if (ts->pub.first == CP_NO_TIME) {
		if (!tells(ev->kind))
			return;
		ts->pub.first = ts->pub.last = ev->time;
	}
	if (ev->time < ts->pub.last) {
		late = *ev;
		late.time = ts->pub.last;
		ev = &late;
	}
	ts->now = ev->time;
	/*
	 * perf starts to record one CPU after the other, on a busy host ms
	 * later.
	 */
	c = cp_cpu_get(ts, ev->cpu);
	if (c != NULL) {
		if (c->last == 0 && c->known == CP_NO_TIME)
			c->known = ev->time;
		cp_cpu_wake(ts, c);
	}
	dispatch(ts, ev);
	cpu_seen(ts, ev);
	ts->pub.last = ev->time;
}

/*
 * Where switches have no CPU, nobody sees that another thread got that of a
 * thread whose own switches were not recorded.
 */
static bool
runs_somewhere(const struct cp_taskstate *ts, const struct cp_sched_thread *t)
{
	return ts->pub.switches && t->kind == CP_SPAN_RUNNING &&
	       t->cpu == CP_NO_ID;
}

/*
 * In a capture of some tasks nobody sees that a thread gets the CPU from one
 * that was not recorded, unless there are records of its own switches.
 */
static bool
may_run_unseen(const struct cp_taskstate *ts, const struct cp_sched_thread *t)
{
	return cp_spans_tasks_only(&ts->pub) && !ts->pub.begins &&
	       t->kind != CP_SPAN_RUNNING;
}

void
cp_taskstate_finish(struct cp_taskstate *ts)
{
	cp_forget_untold(ts);
	for (uint32_t i = 0; i < ts->pub.n_threads; i++) {
		struct cp_sched_thread *t = cp_taskstate_thread(ts, i);
		struct cp_evidence e = { .end = ts->pub.last,
			.open_end = true,
			.from = CP_NO_TIME };

		if (t->ended != CP_NO_TIME || exited(ts, t))
			continue;
		e.really = cp_span_touched(ts, t) || runs_somewhere(ts, t) ||
				   may_run_unseen(ts, t)
			       ? CP_SPAN_UNKNOWN
			       : t->kind;
		cp_span_end(ts, t, &e);
	}
	cp_held_release(ts);
}
