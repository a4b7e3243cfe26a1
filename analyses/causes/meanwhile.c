/* SPDX-License-Identifier: MIT */
#include "analyses/causes/meanwhile.h"

#define RECENT 32u
#define LONG UINT64_C(3000000)        /* the kernel looks for a free CPU */
#define PERIOD UINT64_C(100000000)    /* of a quota, unless it is set */
#define PERIOD_SLIP UINT64_C(5000000) /* a tick, and a late timer */

/* ns: longer than turns of 3 ms, and than those of many threads. */
static const uint64_t slow[2] = { 10000000, 25000000 };

/* The last spans of a task, or of those that ran on a CPU. */
struct cp_recent {
	struct cp_past {
		uint64_t start, end;
		uint32_t what; /* stack of a blocked task; name on a CPU */
		uint8_t kind;
	} at[RECENT];
	uint32_t n;  /* ever */
	uint64_t ns; /* a CPU was busy */
};

void
cp_meanwhile_init(struct cp_meanwhile *a, struct cp_run *run)
{
	*a = (struct cp_meanwhile){ .run = run };
	a->takers = cp_tally_new(run);
	cp_index_init(&a->ends, run);
	cp_index_init(&a->names, run);
}

static void
recent_add(struct cp_recent *r, const struct cp_past *p)
{
	r->at[r->n++ % RECENT] = *p;
}

static uint64_t
overlap(uint64_t from, uint64_t to, const struct cp_past *p)
{
	uint64_t start = p->start > from ? p->start : from;
	uint64_t end = p->end < to ? p->end : to;

	return start < end ? end - start : 0;
}

void
cp_vote(uint32_t *choice, uint64_t *more, uint32_t what, uint64_t ns)
{
	if (*choice == what) {
		*more += ns;
	} else if (*more >= ns) {
		*more -= ns;
	} else {
		*choice = what;
		*more = ns - *more;
	}
}

/*
 * Adds what the task did between the two times.  It ran when it ended the wait,
 * since its last span, if that was a wait.  Else the capture lacks its waits.
 */
static void
look_at(const struct cp_recent *r, const struct cp_wait *w, struct cp_ended *e)
{
	uint64_t from = w->start, to = w->start + w->ns;
	uint64_t seen = to, first = r->n > RECENT ? r->n - RECENT : 0;

	for (uint64_t i = r->n; i > first && seen > from; i--) {
		const struct cp_past *p = &r->at[(i - 1) % RECENT];
		uint64_t ns = overlap(from, to, p);

		if (i == r->n && p->end < to)
			e->meanwhile[p->kind == CP_SPAN_RUNNING ||
					     p->kind == CP_SPAN_UNKNOWN
					 ? CP_SPAN_UNKNOWN
					 : CP_SPAN_RUNNING] +=
			    to - (p->end > from ? p->end : from);
		e->meanwhile[p->kind] += ns;
		if (p->kind == CP_SPAN_BLOCKED && p->what == w->place.stack)
			e->same += ns;
		else if (p->kind == CP_SPAN_BLOCKED && ns != 0)
			cp_vote(&e->blocked, &e->blocked_more, p->what, ns);
		seen = p->start;
	}
	if (r->n == 0)
		e->meanwhile[CP_SPAN_UNKNOWN] += to - from;
	else if (seen > from)
		e->meanwhile[CP_SPAN_UNKNOWN] += seen - from;
}

static void
add_ended(struct cp_meanwhile *a, const struct cp_span *s,
    const struct cp_wait *w, uint32_t row)
{
	const struct cp_span_waker *waker = &s->thread->waker;
	bool known = s->woken && !waker->interrupt && waker->thread != CP_NO_ID;
	uint32_t by = known ? waker->thread : CP_NO_ID;
	uint32_t i = cp_index_put(&a->ends, row, by);
	struct cp_ended *e;

	cp_grow_to(a->run, a->ended, &a->ended_cap, i);
	e = &a->ended[i];
	e->row = row;
	e->by = by;
	e->n++;
	e->ns += w->ns;
	if (s->woken)
		cp_vote(&e->woke, &e->woke_more, waker->stack, w->ns);
	if (!known)
		return;
	cp_grow_to(a->run, a->of_task, &a->task_cap, by);
	look_at(&a->of_task[by], w, e);
}

/* Who ran on the CPU that the thread waited for; nobody between two of them. */
static void
add_takers(struct cp_meanwhile *a, uint32_t task, uint32_t cpu,
    const struct cp_wait *w)
{
	uint64_t from = w->start, to = w->start + w->ns, at = to, first;
	uint64_t key = (uint64_t)w->place.kind << 32 | task, idle = 0,
		 taken = 0;
	uint32_t taker = CP_NO_ID;
	const struct cp_recent *r;

	cp_grow_to(a->run, a->of_cpu, &a->cpu_cap, cpu);
	r = &a->of_cpu[cpu];
	first = r->n > RECENT ? r->n - RECENT : 0;
	for (uint64_t i = r->n; i > first && at > from; i--) {
		const struct cp_past *p = &r->at[(i - 1) % RECENT];
		uint64_t ns = overlap(from, at, p);
		uint64_t end = p->end > from ? p->end : from;

		if (end < at)
			idle += at - end;
		/* Threads of one name often follow each other. */
		if (ns != 0 && p->what != taker && taken != 0) {
			cp_tally_add(a->takers, key, taker, taken);
			taken = 0;
		}
		if (ns != 0)
			taker = p->what;
		taken += ns;
		at = p->start < at ? p->start : at;
	}
	if (taken != 0)
		cp_tally_add(a->takers, key, taker, taken);
	if (idle != 0)
		cp_tally_add(a->takers, key, CP_IDLE_CPU, idle);
}

static void
add_ready(
    struct cp_meanwhile *a, const struct cp_span *s, const struct cp_wait *w)
{
	struct cp_ready *r;
	uint64_t end = w->start + w->ns;

	cp_grow_to(a->run, a->ready, &a->ready_cap, s->thread->index);
	r = &a->ready[s->thread->index];
	r->n++;
	r->ns += w->ns;
	if (s->thread->cpu < CP_SCHED_CPUS)
		add_takers(a, s->thread->index, s->thread->cpu, w);
	for (int i = 0; i < 2 && !w->open; i++) {
		struct cp_late *late = &r->late[i];
		uint64_t part = (end - late->last_end) % PERIOD;

		if (w->ns < slow[i])
			return;
		late->n++;
		late->ns += w->ns;
		late->periodic +=
		    late->last_end != 0 &&
		    (part < PERIOD_SLIP || part > PERIOD - PERIOD_SLIP);
		late->last_end = end;
	}
}

void
cp_late_add(struct cp_late to[2], const struct cp_late from[2])
{
	for (int i = 0; i < 2; i++) {
		to[i].n += from[i].n;
		to[i].ns += from[i].ns;
		to[i].periodic += from[i].periodic;
	}
}

uint64_t
cp_late_quota(const struct cp_late late[2], uint64_t threads, uint64_t ns)
{
	for (int i = 0; i < 2; i++)
		if (late[i].n >= 5 && late[i].n > threads &&
		    late[i].ns > ns / 2 &&
		    late[i].periodic * 10 >= (late[i].n - threads) * 7)
			return late[i].ns;
	return 0;
}

/* last: what the thread did before. */
static void
add_run(struct cp_meanwhile *a, const struct cp_sched_thread *t,
    const struct cp_past *last)
{
	struct cp_ready *r;

	cp_grow_to(a->run, a->ready, &a->ready_cap, t->index);
	r = &a->ready[t->index];
	r->moved +=
	    r->runs != 0 && r->cpu != t->cpu && last->kind == CP_SPAN_PREEMPTED;
	r->runs++;
	r->cpu = t->cpu;
	if (last->kind <= CP_SPAN_RUNNING || last->kind == CP_SPAN_BLOCKED ||
	    last->end - last->start < LONG)
		return;
	r->waited++;
	r->cpus |= UINT64_C(1) << (t->cpu < 63 ? t->cpu : 63);
}

void
cp_meanwhile_span(void *account, const struct cp_span *s,
    const struct cp_wait *w, uint32_t row)
{
	struct cp_meanwhile *a = account;
	const struct cp_sched_thread *t = s->thread;
	struct cp_past past = { s->start, s->end, w->place.stack, s->kind };
	struct cp_past last;

	if (row != CP_NO_ID && s->kind == CP_SPAN_BLOCKED)
		add_ended(a, s, w, row);
	else if (row != CP_NO_ID && s->kind > CP_SPAN_RUNNING)
		add_ready(a, s, w);
	cp_grow_to(a->run, a->of_task, &a->task_cap, t->index);
	last = a->of_task[t->index]
		   .at[(a->of_task[t->index].n + RECENT - 1) % RECENT];
	recent_add(&a->of_task[t->index], &past);
	if (s->kind != CP_SPAN_RUNNING || t->cpu >= CP_SCHED_CPUS)
		return;
	past.what =
	    cp_index_put(&a->names, t->comm, t->pid != t->tid ? t->pid : 0);
	add_run(a, t, &last);
	cp_grow_to(a->run, a->of_cpu, &a->cpu_cap, t->cpu);
	a->of_cpu[t->cpu].ns += s->end - s->start;
	recent_add(&a->of_cpu[t->cpu], &past);
}

uint64_t
cp_meanwhile_busy(const struct cp_meanwhile *a, uint32_t cpu)
{
	return cpu < a->cpu_cap ? a->of_cpu[cpu].ns : 0;
}
