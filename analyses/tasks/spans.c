/* SPDX-License-Identifier: MIT */
/*
 * taskstate: the state machine of threads.
 *
 * Each event of the scheduler ends the span that its thread was in and says
 * what the thread was in until then; where that is not what was thought, or
 * where a record was lost in between, the part that cannot be told is
 * unknown.  Needs sched_switch or context-switch records; without wake-ups
 * what follows a wake-up still counts as blocked.
 */
#include "analyses/tasks/spans.h"

#include <stdio.h>
#include <string.h>

/* Threads of a chunk, which stay where they are. */
#define CHUNK 256u
#define FIRST_SLOTS 1024u

struct cp_sched_cpu {
	uint64_t last;         /* time of its last event; 0: none yet */
	uint64_t known;        /* since when all its switches were recorded */
	uint32_t current;      /* thread, IDLE or CP_NO_ID */
	uint64_t current_last; /* when that was last seen running */
};

struct cp_sched_loss {
	uint64_t start, end;
};

#define IDLE (CP_NO_ID - 1)

void
cp_taskstate_init(
    struct cp_taskstate *ts, struct cp_run *run, cp_span_fn fn, void *ctx)
{
	*ts = (struct cp_taskstate){ .run = run,
		.fn = fn,
		.ctx = ctx,
		.mask = FIRST_SLOTS - 1,
		.first = CP_NO_TIME,
		.last = CP_NO_TIME };
	ts->slots = cp_run_alloc(run, FIRST_SLOTS * sizeof(*ts->slots));
}

/* ---------------------------------------------------------------- threads */

struct cp_sched_thread *
cp_taskstate_thread(const struct cp_taskstate *ts, uint32_t i)
{
	return &ts->chunk[i / CHUNK][i % CHUNK];
}

static uint32_t
slot_of(const struct cp_taskstate *ts, uint32_t tid)
{
	uint32_t i = (uint32_t)(tid * UINT64_C(0x9e3779b97f4a7c15) >> 32);

	for (i &= ts->mask; ts->slots[i] != 0; i = (i + 1) & ts->mask)
		if (cp_taskstate_thread(ts, ts->slots[i] - 1)->tid == tid)
			break;
	return i;
}

struct cp_sched_thread *
cp_taskstate_find(const struct cp_taskstate *ts, uint32_t tid)
{
	uint32_t i = ts->slots[slot_of(ts, tid)];

	return i != 0 ? cp_taskstate_thread(ts, i - 1) : NULL;
}

/* Of threads with the same tid the last has the slot. */
static void
slots_grow(struct cp_taskstate *ts)
{
	uint32_t n = (ts->mask + 1) * 2;

	ts->slots = cp_run_alloc(ts->run, n * sizeof(*ts->slots));
	ts->mask = n - 1;
	for (uint32_t i = 0; i < ts->n_threads; i++)
		ts->slots[slot_of(ts, cp_taskstate_thread(ts, i)->tid)] = i + 1;
}

static void
chunks_grow(struct cp_taskstate *ts)
{
	uint32_t n = ts->n_threads / CHUNK;

	if (n == ts->n_chunks) {
		uint32_t more = n != 0 ? 2 * n : 16;
		struct cp_sched_thread **all =
		    cp_run_alloc(ts->run, more * sizeof(*all));

		if (n != 0)
			memcpy(all, ts->chunk, n * sizeof(*all));
		ts->chunk = all;
		ts->n_chunks = more;
	}
	ts->chunk[n] = cp_run_alloc(ts->run, CHUNK * sizeof(**ts->chunk));
}

/* A name that perf or the host made up is none. */
static bool
made_up(const char *s)
{
	return s[0] == ':' && s[1 + strspn(s + 1, "0123456789")] == '\0';
}

/* 0: it was never told. */
static cp_string_id
comm_of(const struct cp_taskstate *ts, uint32_t tid)
{
	cp_string_id comm;
	uint32_t pid;

	if (!cp_run_thread(ts->run, tid, &pid, &comm) ||
	    made_up(cp_run_string(ts->run, comm)))
		return 0;
	return comm;
}

static struct cp_sched_thread *
thread_new(struct cp_taskstate *ts, uint32_t tid)
{
	struct cp_sched_thread *t;
	uint32_t slot;

	if (ts->n_threads % CHUNK == 0)
		chunks_grow(ts);
	if (ts->n_threads >= ts->mask / 2)
		slots_grow(ts);
	slot = slot_of(ts, tid);
	t = cp_taskstate_thread(ts, ts->n_threads);
	*t = (struct cp_sched_thread){ .index = ts->n_threads++,
		.tid = tid,
		.pid = CP_NO_ID,
		.comm = comm_of(ts, tid),
		.born = CP_NO_TIME,
		.ended = CP_NO_TIME,
		.since = ts->first,
		.clear = ts->first,
		.cpu = CP_NO_ID,
		.letter = '?',
		.taker = CP_NO_ID,
		.waker = { .thread = CP_NO_ID, .cpu = CP_NO_ID } };
	ts->slots[slot] = t->index + 1;
	return t;
}

/* NULL: it is idle, or not told. */
static struct cp_sched_thread *
thread_get(struct cp_taskstate *ts, uint32_t tid)
{
	struct cp_sched_thread *t;

	if (tid == 0 || tid == CP_NO_ID)
		return NULL;
	t = cp_taskstate_find(ts, tid);
	return t != NULL && t->ended == CP_NO_TIME ? t : thread_new(ts, tid);
}

static uint32_t
index_of(const struct cp_sched_thread *t)
{
	return t != NULL ? t->index : CP_NO_ID;
}

cp_string_id
cp_sched_thread_name(
    const struct cp_taskstate *ts, const struct cp_sched_thread *t)
{
	cp_string_id comm = t->comm;
	char text[CP_SCHED_NAME];

	if (comm == 0 && cp_taskstate_find(ts, t->tid) == t)
		comm = comm_of(ts, t->tid);
	if (comm != 0)
		return comm;
	if (t->name[0] != '\0')
		return cp_run_intern(ts->run, t->name);
	snprintf(text, sizeof(text), ":%u", t->tid);
	return cp_run_intern(ts->run, text);
}

uint32_t
cp_sched_thread_pid(
    const struct cp_taskstate *ts, const struct cp_sched_thread *t)
{
	uint32_t pid = t->pid;
	cp_string_id comm;

	if (pid == CP_NO_ID && cp_taskstate_find(ts, t->tid) == t)
		(void)cp_run_thread(ts->run, t->tid, &pid, &comm);
	return pid;
}

uint64_t
cp_sched_thread_start(
    const struct cp_taskstate *ts, const struct cp_sched_thread *t)
{
	return t->born != CP_NO_TIME ? t->born : ts->first;
}

uint64_t
cp_sched_thread_end(
    const struct cp_taskstate *ts, const struct cp_sched_thread *t)
{
	return t->ended != CP_NO_TIME ? t->ended : ts->last;
}

/* ------------------------------------------------------------------- CPUs */

static void
cpus_grow(struct cp_taskstate *ts, uint32_t cpu)
{
	uint32_t n = cpu < 16 ? 32 : 2 * cpu;
	struct cp_sched_cpu *all = cp_run_alloc(ts->run, n * sizeof(*all));

	if (ts->n_cpus != 0)
		memcpy(all, ts->cpu, ts->n_cpus * sizeof(*all));
	for (uint32_t i = ts->n_cpus; i < n; i++)
		all[i] = (struct cp_sched_cpu){ .known = ts->first,
			.current = CP_NO_ID };
	ts->cpu = all;
	ts->n_cpus = n;
}

/* NULL: not told. */
static inline struct cp_sched_cpu *
cpu_get(struct cp_taskstate *ts, uint32_t cpu)
{
	if (cpu >= CP_SCHED_CPUS)
		return NULL;
	if (cpu >= ts->n_cpus)
		cpus_grow(ts, cpu);
	return &ts->cpu[cpu];
}

uint32_t
cp_taskstate_running(const struct cp_taskstate *ts, uint32_t cpu)
{
	return cpu < ts->n_cpus && ts->cpu[cpu].current < IDLE
		   ? ts->cpu[cpu].current
		   : CP_NO_ID;
}

/* The thread of an event is most often the one that runs on its CPU. */
static struct cp_sched_thread *
thread_near(struct cp_taskstate *ts, const struct cp_sched_cpu *c, uint32_t tid)
{
	struct cp_sched_thread *t;

	if (c != NULL && c->current < IDLE) {
		t = cp_taskstate_thread(ts, c->current);
		if (t->tid == tid && t->ended == CP_NO_TIME)
			return t;
	}
	return thread_get(ts, tid);
}

/* ----------------------------------------------------------------- losses */

/* They come in the order of their ends; what overlaps becomes one. */
static void
loss_add(struct cp_taskstate *ts, uint64_t start, uint64_t end)
{
	while (ts->n_losses != 0 && ts->loss[ts->n_losses - 1].end >= start) {
		if (ts->loss[ts->n_losses - 1].start < start)
			start = ts->loss[ts->n_losses - 1].start;
		ts->n_losses--;
	}
	if (ts->n_losses == ts->cap_losses) {
		uint32_t cap = ts->cap_losses != 0 ? 2 * ts->cap_losses : 64;
		struct cp_sched_loss *all =
		    cp_run_alloc(ts->run, cap * sizeof(*all));

		if (ts->n_losses != 0)
			memcpy(all, ts->loss, ts->n_losses * sizeof(*all));
		ts->loss = all;
		ts->cap_losses = cap;
	}
	ts->loss[ts->n_losses++] = (struct cp_sched_loss){ start, end };
}

/* The first that ends after a time; NULL: none does. */
static const struct cp_sched_loss *
loss_after(const struct cp_taskstate *ts, uint64_t time)
{
	uint32_t from = 0, to = ts->n_losses;

	if (to == 0 || ts->loss[to - 1].end <= time)
		return NULL;
	while (from < to) {
		uint32_t middle = from + (to - from) / 2;

		if (ts->loss[middle].end <= time)
			from = middle + 1;
		else
			to = middle;
	}
	return &ts->loss[from];
}

uint64_t
cp_taskstate_loss(const struct cp_taskstate *ts)
{
	return ts->n_losses != 0 ? ts->loss[ts->n_losses - 1].start
				 : CP_NO_TIME;
}

bool
cp_taskstate_lost(const struct cp_taskstate *ts, uint64_t since)
{
	return loss_after(ts, since) != NULL;
}

/* ------------------------------------------------------------------ spans */

static void
tell(struct cp_taskstate *ts, struct cp_span *s, uint8_t kind, uint64_t start,
    uint64_t end)
{
	s->kind = kind;
	s->start = start;
	s->end = end;
	if (start < end)
		ts->fn(ts->ctx, s);
}

static uint64_t
later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* What the event that ends a span says of the time before it. */
struct evidence {
	uint64_t end;
	uint64_t from;  /* ... since then at the earliest */
	uint8_t really; /* the thread was doing this */
	bool woken;     /* the event is a wake-up */
	bool open_end;  /* it is the end of the capture */
};

/*
 * What lies between a span and what its thread was really doing when it
 * ended.  The span is known until the first loss, or not at all.
 */
static void
tell_broken(struct cp_taskstate *ts, const struct cp_sched_thread *t,
    struct cp_span *s, const struct evidence *e)
{
	const struct cp_sched_loss *l = loss_after(ts, t->since);
	uint64_t at = t->since, from = e->from;

	if (l != NULL && t->kind != CP_SPAN_UNKNOWN) {
		struct cp_span before = *s;

		before.open &= CP_SPAN_OPEN_START;
		before.woken = false;
		at = later(at, l->start);
		if (at > e->end)
			at = e->end;
		tell(ts, &before, t->kind, t->since, at);
	}
	if (t->kind == CP_SPAN_UNKNOWN)
		from = later(from, t->clear);
	else if (l == NULL)
		from = e->end;
	if (l != NULL)
		from = later(from, ts->loss[ts->n_losses - 1].end);
	if (e->really == CP_SPAN_UNKNOWN || from > e->end)
		from = e->end;
	s->after_loss = l != NULL;
	tell(ts, s, CP_SPAN_UNKNOWN, at, later(at, from));
	s->open |= CP_SPAN_OPEN_START;
	tell(ts, s, e->really, later(at, from), e->end);
}

/* Whether a record was lost that the thread's span may have needed. */
static bool
touched(const struct cp_taskstate *ts, const struct cp_sched_thread *t)
{
	/* A CPU's own losses end the spans of who runs there. */
	if (t->kind == CP_SPAN_RUNNING && t->cpu != CP_NO_ID)
		return false;
	return loss_after(ts, t->since) != NULL;
}

static void
span_end(struct cp_taskstate *ts, struct cp_sched_thread *t,
    const struct evidence *e)
{
	struct cp_span s = { .thread = t,
		.woken = e->woken,
		.open = (uint8_t)((!t->started && t->born == CP_NO_TIME
					  ? CP_SPAN_OPEN_START
					  : 0) |
				  (e->open_end ? CP_SPAN_OPEN_END : 0)) };

	if (e->end <= t->since || t->ended != CP_NO_TIME)
		; /* nothing lies between; the dead do nothing more */
	else if (t->kind == e->really && t->kind != CP_SPAN_UNKNOWN &&
		 !touched(ts, t))
		tell(ts, &s, t->kind, t->since, e->end);
	else
		tell_broken(ts, t, &s, e);
	t->since = later(t->since, e->end);
	t->started = true;
	t->woken_early = false;
}

static void
span_begin(struct cp_sched_thread *t, enum cp_span_kind kind)
{
	t->kind = (uint8_t)kind;
	t->clear = CP_NO_TIME;
}

/* --------------------------------------------------------------- switches */

/* The thread does not run as was thought, nobody knows since when. */
static void
lose_track(struct cp_taskstate *ts, struct cp_sched_thread *t, uint64_t last)
{
	struct evidence e = { .end = last, .really = CP_SPAN_RUNNING };

	span_end(ts, t, &e);
	span_begin(t, CP_SPAN_UNKNOWN);
}

static void
cpu_forget(struct cp_taskstate *ts, struct cp_sched_cpu *c)
{
	if (c->current < IDLE)
		lose_track(
		    ts, cp_taskstate_thread(ts, c->current), c->current_last);
	c->current = CP_NO_ID;
	c->known = CP_NO_TIME;
}

/* The thread was thought to run, but not there. */
static void
thread_forget(struct cp_taskstate *ts, struct cp_sched_thread *t)
{
	struct cp_sched_cpu *c = cpu_get(ts, t->cpu);

	if (c != NULL && c->current == t->index)
		cpu_forget(ts, c);
	else
		lose_track(ts, t, t->since);
}

static bool
runs_on(const struct cp_sched_thread *t, const struct cp_sched_cpu *c)
{
	return t->kind == CP_SPAN_RUNNING &&
	       (c == NULL || c->current == t->index);
}

/* The thread was running until now. */
static void
leave(struct cp_taskstate *ts, struct cp_sched_thread *t,
    const struct cp_sched_cpu *c, const struct cp_sched_event *ev)
{
	struct evidence e = { .end = ev->time,
		.really = CP_SPAN_RUNNING,
		.from = c != NULL ? c->known : CP_NO_TIME };
	bool woken_early = t->woken_early;

	if (!runs_on(t, c)) {
		if (t->kind == CP_SPAN_RUNNING)
			thread_forget(ts, t);
		if (c != NULL && c->current != CP_NO_ID)
			e.really = CP_SPAN_UNKNOWN;
	}
	span_end(ts, t, &e);
	t->cpu = ev->cpu;
	t->letter = ev->letter;
	t->stack = ev->stack;
	t->woken_early = woken_early;
	if (ev->pid != CP_NO_ID)
		t->pid = ev->pid;
	span_begin(t, ev->runnable ? CP_SPAN_PREEMPTED : CP_SPAN_BLOCKED);
	if (ev->dead ||
	    (t->exiting && ev->kind == CP_SCHED_OUT && !ev->runnable))
		t->ended = ev->time;
}

/* The thread runs from now on. */
static void
enter(struct cp_taskstate *ts, struct cp_sched_thread *t,
    const struct cp_sched_event *ev)
{
	struct evidence e = { .end = ev->time, .from = CP_NO_TIME };

	if (t->kind == CP_SPAN_RUNNING)
		thread_forget(ts, t);
	/* The wake-up came before it had left the CPU, or is a fork's. */
	if (t->kind == CP_SPAN_BLOCKED && (t->woken_early || t->letter == 'N'))
		t->kind = CP_SPAN_WOKEN;
	e.really = touched(ts, t) ? CP_SPAN_UNKNOWN : t->kind;
	span_end(ts, t, &e);
	t->cpu = ev->cpu;
	span_begin(t, CP_SPAN_RUNNING);
}

/* The events' names are of use where no record tells one. */
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
	struct cp_sched_cpu *c = cpu_get(ts, ev->cpu);
	struct cp_sched_thread *prev = thread_near(ts, c, ev->tid), *next;
	uint32_t expected = prev != NULL ? prev->index : IDLE;

	ts->switches = true;
	ts->misfits +=
	    c != NULL && c->current != CP_NO_ID && c->current != expected;
	if (prev != NULL)
		leave(ts, prev, c, ev);
	/* If the dead one comes again it is another. */
	next = thread_get(ts, ev->next);
	if (prev != NULL)
		prev->taker = index_of(next);
	ts->who = prev;
	ts->next = next;
	if (c != NULL && c->current != expected)
		cpu_forget(ts, c);
	if (next != NULL) {
		enter(ts, next, ev);
		rename_from(ev, next);
	}
	if (c != NULL) {
		c->current = next != NULL    ? next->index
			     : ev->next == 0 ? IDLE
					     : CP_NO_ID;
		c->current_last = ev->time;
	}
}

/* Where sched_switch was recorded, too, these repeat it. */
static void
on_out(struct cp_taskstate *ts, const struct cp_sched_event *ev)
{
	struct cp_sched_cpu *c = cpu_get(ts, ev->cpu);
	struct cp_sched_thread *t = thread_get(ts, ev->tid);

	if (t != NULL && ts->switches && !runs_on(t, c))
		return;
	ts->who = t;
	if (t != NULL)
		leave(ts, t, c, ev);
	if (c == NULL)
		return;
	if (c->current != (t != NULL ? t->index : IDLE))
		cpu_forget(ts, c);
	c->current = CP_NO_ID;
	c->known = CP_NO_TIME;
}

static void
on_in(struct cp_taskstate *ts, const struct cp_sched_event *ev)
{
	struct cp_sched_cpu *c = cpu_get(ts, ev->cpu);
	struct cp_sched_thread *t = thread_get(ts, ev->next);

	if (t != NULL && runs_on(t, c))
		return;
	ts->next = t;
	if (c != NULL && c->current < IDLE)
		cpu_forget(ts, c);
	if (t != NULL)
		enter(ts, t, ev);
	if (c != NULL) {
		c->current = t != NULL ? t->index : IDLE;
		c->current_last = ev->time;
	}
}

/* --------------------------------------------------------------- wake-ups */

static void
on_wake(struct cp_taskstate *ts, const struct cp_sched_event *ev)
{
	const struct cp_sched_cpu *c = cpu_get(ts, ev->cpu);
	struct cp_sched_thread *t = thread_get(ts, ev->tid);
	struct cp_sched_thread *actor = thread_near(ts, c, ev->actor);
	struct evidence e = {
		.end = ev->time, .woken = true, .really = CP_SPAN_BLOCKED
	};
	bool queued;

	ts->who = t;
	if (t == NULL)
		return;
	queued = t->kind == CP_SPAN_PREEMPTED || t->kind == CP_SPAN_WOKEN;
	if (queued && !touched(ts, t))
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
	span_end(ts, t, &e);
	if (ev->to_cpu != CP_NO_ID)
		t->cpu = ev->to_cpu;
	span_begin(t, CP_SPAN_WOKEN);
	if (t->name[0] == '\0')
		rename_from(ev, t);
}

/* -------------------------------------------------------- birth and death */

/* Whoever had the tid has gone, unseen. */
static void
thread_retire(struct cp_taskstate *ts, struct cp_sched_thread *t, uint64_t time)
{
	struct evidence e = { .end = time, .really = CP_SPAN_UNKNOWN };

	if (t->kind == CP_SPAN_RUNNING)
		thread_forget(ts, t);
	span_end(ts, t, &e);
	t->ended = time;
	ts->gone = t;
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
	t = thread_new(ts, ev->tid);
	t->born = t->since = ev->time;
	t->pid = ev->pid;
	t->letter = 'N';
	span_begin(t, CP_SPAN_BLOCKED);
}

static void
on_exit_record(struct cp_taskstate *ts, const struct cp_sched_event *ev)
{
	struct cp_sched_thread *t = cp_taskstate_find(ts, ev->tid);

	if (t == NULL || t->ended != CP_NO_TIME)
		return;
	t->exiting = true;
	t->exit = ev->time;
}

static void
on_comm(struct cp_taskstate *ts, const struct cp_sched_event *ev)
{
	struct cp_sched_thread *t = cp_taskstate_find(ts, ev->tid);

	if (t == NULL || t->ended != CP_NO_TIME)
		return;
	t->comm = comm_of(ts, ev->tid);
	if (ev->pid != CP_NO_ID)
		t->pid = ev->pid;
}

static void
on_migrate(struct cp_taskstate *ts, const struct cp_sched_event *ev)
{
	struct cp_sched_thread *t = thread_get(ts, ev->tid);

	ts->who = t;
	if (t != NULL && t->kind != CP_SPAN_RUNNING && ev->to_cpu != CP_NO_ID)
		t->cpu = ev->to_cpu;
}

/* ----------------------------------------------------------------- losses */

/* Since the CPU's last event nobody knows what happened there. */
static void
on_lost(struct cp_taskstate *ts, const struct cp_sched_event *ev)
{
	struct cp_sched_cpu *c = cpu_get(ts, ev->cpu);
	struct cp_sched_thread *t = NULL;
	uint64_t start = ts->last;

	if (c != NULL)
		start = c->last != 0 ? c->last : ts->first;
	if (c != NULL && c->current < IDLE) {
		t = cp_taskstate_thread(ts, c->current);
		lose_track(ts, t, start);
	}
	loss_add(ts, start, ev->time);
	if (t != NULL)
		t->clear = ev->time;
	if (c != NULL) {
		c->current = CP_NO_ID;
		c->known = ev->time;
	}
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
	case CP_SCHED_LOST: on_lost(ts, ev); break;
	case CP_SCHED_RUNTIME:
		ts->who = thread_near(ts, cpu_get(ts, ev->cpu), ev->tid);
		break;
	case CP_SCHED_COMM: on_comm(ts, ev); break;
	case CP_SCHED_NONE:
	case CP_SCHED_KINDS: break;
	}
}

static void
cpu_seen(struct cp_taskstate *ts, const struct cp_sched_event *ev)
{
	struct cp_sched_cpu *c = cpu_get(ts, ev->cpu);
	uint32_t actor;

	if (c == NULL)
		return;
	c->last = ev->time;
	if (c->current >= IDLE || ev->actor == CP_NO_ID)
		return;
	actor = cp_taskstate_thread(ts, c->current)->tid;
	if (actor == ev->actor)
		c->current_last = ev->time;
}

/* Threads that came and went before the scheduler was recorded are none. */
static bool
tells(uint8_t kind)
{
	return kind == CP_SCHED_SWITCH || kind == CP_SCHED_OUT ||
	       kind == CP_SCHED_IN || kind == CP_SCHED_WAKE ||
	       kind == CP_SCHED_WAKE_NEW || kind == CP_SCHED_MIGRATE ||
	       kind == CP_SCHED_RUNTIME;
}

/* A thread's spans never go back: an event that comes late counts now. */
void
cp_taskstate_event(struct cp_taskstate *ts, const struct cp_sched_event *in)
{
	const struct cp_sched_event *ev = in;
	struct cp_sched_event late;

	ts->who = ts->next = ts->gone = NULL;
	if (ev->time == CP_NO_TIME) {
		if (ev->kind == CP_SCHED_COMM)
			on_comm(ts, ev);
		return;
	}
	if (ts->first == CP_NO_TIME) {
		if (!tells(ev->kind))
			return;
		ts->first = ts->last = ev->time;
	}
	if (ev->time < ts->last) {
		late = *ev;
		late.time = ts->last;
		ev = &late;
	}
	dispatch(ts, ev);
	cpu_seen(ts, ev);
	ts->last = ev->time;
}

/* Its last switch is not recorded; it came soon after the record. */
static bool
exited(struct cp_taskstate *ts, struct cp_sched_thread *t)
{
	struct evidence e = { .end = t->exit, .really = CP_SPAN_RUNNING };

	if (!t->exiting)
		return false;
	if (t->since < t->exit)
		span_end(ts, t, &e);
	t->ended = t->since;
	return true;
}

void
cp_taskstate_finish(struct cp_taskstate *ts)
{
	for (uint32_t i = 0; i < ts->n_threads; i++) {
		struct cp_sched_thread *t = cp_taskstate_thread(ts, i);
		struct evidence e = {
			.end = ts->last, .open_end = true, .from = CP_NO_TIME
		};

		if (t->ended != CP_NO_TIME || exited(ts, t))
			continue;
		e.really = touched(ts, t) ? CP_SPAN_UNKNOWN : t->kind;
		span_end(ts, t, &e);
	}
}
