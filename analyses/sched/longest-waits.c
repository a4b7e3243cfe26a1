/* SPDX-License-Identifier: MIT */
#include "analyses/sched/longest-waits.h"

#include <stdlib.h>

/* The CPU ran this thread from start until the next entry. */
struct entry {
	uint64_t start;
	uint64_t idle;   /* ns that the CPU was idle before */
	uint32_t thread; /* index; IDLE; CP_NO_ID: not known */
};

#define IDLE (CP_NO_ID - 1)

/* Waits after which the others are looked at again; fewer than are held. */
enum { AGAIN = 32768 };

struct cp_worst_cpu {
	struct entry *ring; /* a power of two of them */
	uint32_t size;
	uint64_t n; /* number of entries so far; the last is n - 1 */
};

void
cp_worst_init(struct cp_worst *w, struct cp_run *run, struct cp_runqueue *queue,
    uint32_t count)
{
	*w = (struct cp_worst){ .run = run, .queue = queue, .cap = count };
	w->wait = cp_run_alloc(run, (count + 1) * sizeof(*w->wait));
}

/* ---------------------------------------------------------------- history */

static struct cp_worst_cpu *
cpu_get(struct cp_worst *w, uint32_t cpu)
{
	if (cpu >= CP_SCHED_CPUS)
		return NULL;
	cp_grow_to(w->run, w->cpu, &w->n_cpus, cpu);
	return &w->cpu[cpu];
}

static const struct entry *
entry_at(const struct cp_worst_cpu *c, uint64_t i)
{
	return &c->ring[i & (c->size - 1)];
}

static void
ring_grow(struct cp_worst *w, struct cp_worst_cpu *c)
{
	uint32_t size = c->size != 0 ? 2 * c->size : 32;
	struct entry *ring = cp_run_alloc(w->run, size * sizeof(*ring));

	for (uint64_t i = 0; i < c->n; i++)
		ring[i] = *entry_at(c, i);
	c->ring = ring;
	c->size = size;
}

static void
history_add(struct cp_worst *w, uint32_t cpu, uint32_t thread, uint64_t time)
{
	struct cp_worst_cpu *c = cpu_get(w, cpu);
	struct entry e = { .start = time, .thread = thread };

	if (c == NULL)
		return;
	if (c->n != 0) {
		const struct entry *last = entry_at(c, c->n - 1);

		e.idle = last->idle;
		if (last->thread == IDLE && time > last->start)
			e.idle += time - last->start;
	}
	if (c->n == c->size && c->size < CP_WORST_HISTORY)
		ring_grow(w, c);
	c->ring[c->n++ & (c->size - 1)] = e;
}

void
cp_worst_leave(struct cp_worst *w, const struct cp_sched_event *ev)
{
	const struct cp_sched_thread *who = w->queue->tasks->who;
	struct cp_worst_cpu *c = cpu_get(w, ev->cpu);
	struct entry *last;

	if (ev->kind != CP_SCHED_SWITCH || c == NULL || c->n == 0)
		return;
	last = &c->ring[(c->n - 1) & (c->size - 1)];
	if (last->thread != (who != NULL ? who->index : IDLE))
		last->thread = CP_NO_ID;
}

/* Finds the last entry that does not start after time; n: none is kept. */
static uint64_t
history_find(const struct cp_worst_cpu *c, uint64_t time)
{
	uint64_t from = c->n > c->size ? c->n - c->size : 0, to = c->n;

	if (c->n == 0 || entry_at(c, from)->start > time)
		return c->n;
	while (to - from > 1) {
		uint64_t middle = from + (to - from) / 2;

		if (entry_at(c, middle)->start <= time)
			from = middle;
		else
			to = middle;
	}
	return from;
}

static uint64_t
idle_until(const struct cp_worst_cpu *c, uint64_t entry, uint64_t time)
{
	const struct entry *e = entry_at(c, entry);

	return e->idle + (e->thread == IDLE ? time - e->start : 0);
}

/*
 * Returns how long a CPU was idle; also 0 if the history does not reach back.
 */
static uint64_t
idle_between(const struct cp_worst_cpu *c, uint64_t start, uint64_t end)
{
	uint64_t from = history_find(c, start), to = history_find(c, end);

	if (from == c->n || to == c->n)
		return 0;
	return idle_until(c, to, end) - idle_until(c, from, start);
}

/* ------------------------------------------------------------ explanation */

static void
add_runner(
    struct cp_worst *w, struct cp_worst_wait *x, uint32_t thread, uint64_t ns)
{
	cp_grow_to(w->run, w->ran, &w->ran_cap, thread);
	x->runners += w->ran[thread] == 0 && ns != 0;
	w->ran[thread] += ns;
}

/* Moves a thread's time into the list of the first three, and clears it. */
static void
take_runner(struct cp_worst *w, struct cp_worst_wait *x, uint32_t thread)
{
	uint64_t ns = w->ran[thread];
	int i = CP_WORST_RUNNERS - 1;

	w->ran[thread] = 0;
	if (ns <= x->ran[i])
		return;
	for (; i > 0 && ns > x->ran[i - 1]; i--) {
		x->ran[i] = x->ran[i - 1];
		x->runner[i] = x->runner[i - 1];
	}
	x->ran[i] = ns;
	x->runner[i] = thread;
}

static void
explain_runners(struct cp_worst *w, struct cp_worst_wait *x)
{
	const struct cp_worst_cpu *c = cpu_get(w, x->wait.cpu);
	uint64_t first, end = x->wait.end;

	if (c == NULL || c->n == 0)
		return;
	first = history_find(c, x->wait.start);
	if (first == c->n)
		first = c->n > c->size ? c->n - c->size : 0;
	for (uint64_t i = c->n; i-- > first;) {
		const struct entry *e = entry_at(c, i);
		uint64_t start =
		    e->start > x->wait.start ? e->start : x->wait.start;

		if (start >= end)
			continue;
		if (e->thread < IDLE)
			add_runner(w, x, e->thread, end - start);
		else if (e->thread == IDLE)
			x->idle += end - start;
		if (e->thread != CP_NO_ID)
			x->known += end - start;
		end = start;
	}
	for (uint64_t i = first; i < c->n; i++)
		if (entry_at(c, i)->thread < w->ran_cap)
			take_runner(w, x, entry_at(c, i)->thread);
}

static void
explain_others(struct cp_worst *w, struct cp_worst_wait *x)
{
	x->idle_cpu = CP_NO_ID;
	for (uint32_t i = 0; i < w->n_cpus; i++) {
		uint64_t idle;

		if (i == x->wait.cpu || w->cpu[i].n == 0)
			continue;
		idle = idle_between(&w->cpu[i], x->wait.start, x->wait.end);
		if (idle > x->idle_other) {
			x->idle_other = idle;
			x->idle_cpu = i;
		}
	}
}

static struct cp_worst_wait
explain(struct cp_worst *w, const struct cp_queue_wait *wait)
{
	struct cp_worst_wait x = { .wait = *wait,
		.delay = wait->end - wait->start };

	explain_runners(w, &x);
	explain_others(w, &x);
	return x;
}

/* ------------------------------------------------------------------- heap */

/* True if x is shorter; of two equal waits the later one counts as shorter. */
static bool
shorter(const struct cp_worst_wait *a, const struct cp_worst_wait *b)
{
	if (a->delay != b->delay)
		return a->delay < b->delay;
	return a->wait.end > b->wait.end;
}

static void
swap(struct cp_worst_wait *a, struct cp_worst_wait *b)
{
	struct cp_worst_wait c = *a;

	*a = *b;
	*b = c;
}

static void
sink(struct cp_worst *w, uint32_t i)
{
	for (;;) {
		uint32_t least = i;

		for (uint32_t k = 2 * i + 1; k <= 2 * i + 2 && k < w->n; k++)
			if (shorter(&w->wait[k], &w->wait[least]))
				least = k;
		if (least == i)
			return;
		swap(&w->wait[i], &w->wait[least]);
		i = least;
	}
}

/* True if the wait is longer than one of the heap, or there is room. */
static bool
is_long(const struct cp_worst *w, const struct cp_queue_wait *wait)
{
	uint64_t delay = wait->end - wait->start;

	return w->cap != 0 && delay != 0 &&
	       (w->n < w->cap || delay > w->wait[0].delay);
}

/* True if the filters keep its thread, and no loss within it is known. */
static bool
counts(const struct cp_worst *w, const struct cp_queue_wait *wait)
{
	return cp_sched_thread_kept(w->queue->tasks, wait->thread) &&
	       !cp_spans_lost_within(w->queue->tasks, wait->start, wait->end);
}

static void
add(struct cp_worst *w, const struct cp_queue_wait *wait)
{
	uint32_t i = w->n;

	if (w->n == w->cap) {
		w->wait[0] = explain(w, wait);
		sink(w, 0);
		return;
	}
	w->wait[w->n++] = explain(w, wait);
	for (; i != 0 && shorter(&w->wait[i], &w->wait[(i - 1) / 2]);
	     i = (i - 1) / 2)
		swap(&w->wait[i], &w->wait[(i - 1) / 2]);
}

/* Adds a wait that may be there already. */
static void
add_again(void *ctx, const struct cp_queue_wait *wait)
{
	struct cp_worst *w = ctx;

	if (!is_long(w, wait) || !counts(w, wait))
		return;
	for (uint32_t i = 0; i < w->n; i++)
		if (w->wait[i].wait.thread == wait->thread &&
		    w->wait[i].wait.end == wait->end)
			return;
	add(w, wait);
}

/* Removes waits that do not count. */
static void
clean(struct cp_worst *w)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->n; i++)
		if (counts(w, &w->wait[i].wait))
			w->wait[n++] = w->wait[i];
	if (n == w->n)
		return;
	w->n = n;
	for (uint32_t i = n / 2; i-- > 0;)
		sink(w, i);
}

void
cp_worst_again(struct cp_worst *w)
{
	w->waits = 0;
	clean(w);
	cp_runqueue_each_held(w->queue, add_again, w);
}

void
cp_worst_wait(struct cp_worst *w, const struct cp_queue_wait *wait)
{
	if (is_long(w, wait) && counts(w, wait))
		add(w, wait);
	if (++w->waits == AGAIN)
		cp_worst_again(w);
}

void
cp_worst_event(struct cp_worst *w, const struct cp_sched_event *ev)
{
	const struct cp_sched_thread *next = w->queue->tasks->next;

	/* The thread was running already: a record repeats sched_switch. */
	if (ev->kind == CP_SCHED_IN && next == NULL && ev->next != 0 &&
	    ev->next != CP_NO_ID)
		return;
	if (ev->kind == CP_SCHED_SWITCH || ev->kind == CP_SCHED_IN)
		history_add(w, ev->cpu,
		    next != NULL    ? next->index
		    : ev->next == 0 ? IDLE
				    : CP_NO_ID,
		    ev->time);
	if (ev->kind != CP_SCHED_LOST)
		return;
	history_add(w, ev->cpu, CP_NO_ID, ev->time);
	clean(w);
}

static int
compare(const void *va, const void *vb)
{
	return shorter(va, vb) - shorter(vb, va);
}

void
cp_worst_sort(struct cp_worst *w)
{
	for (uint32_t i = 0; i < w->queue->tasks->n_threads; i++)
		add_again(w, &cp_runqueue_thread(w->queue, i)->longest);
	qsort(w->wait, w->n, sizeof(*w->wait), compare);
}
