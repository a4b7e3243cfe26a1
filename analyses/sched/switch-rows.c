/* SPDX-License-Identifier: MIT */
/*
 * switch-rows: switches with their times, packed.
 *
 * Numbers are written seven bits to a byte, and the last byte is below 128.
 * Times are differences to the row before.
 */
#include "analyses/sched/switch-rows.h"

enum { BLOCK = 64 << 10, LONGEST = 9 * 10 + 1 };

/* A bit of the letter, which has seven. */
enum { DOUBT = 0x80 };

struct cp_schedrows_block {
	struct cp_schedrows_block *next;
	uint32_t used;
	uint8_t data[BLOCK - 16];
};

void
cp_schedrows_init(struct cp_schedrows *s, struct cp_run *run,
    const struct cp_spans *tasks, bool arrivals)
{
	*s = (struct cp_schedrows){
		.run = run, .arrivals = arrivals, .tasks = tasks
	};
	cp_slab_init(&s->threads, run, sizeof(struct cp_sched_timing));
}

/* ---------------------------------------------------------------- packing */

static void
put(struct cp_schedrows_block *b, uint64_t v)
{
	for (; v >= 128; v >>= 7)
		b->data[b->used++] = (uint8_t)(v | 128);
	b->data[b->used++] = (uint8_t)v;
}

static void
append(struct cp_schedrows *s, const struct cp_sched_row *r)
{
	struct cp_schedrows_block *b = s->last;

	if (b == NULL || sizeof(b->data) - b->used < LONGEST) {
		b = cp_run_alloc(s->run, sizeof(*b));
		if (s->last != NULL)
			s->last->next = b;
		else
			s->first = b;
		s->last = b;
	}
	/*
	 * Late events are rare; their difference wraps around and is stored as
	 * is.
	 */
	put(b, r->time - s->last_time);
	put(b, r->wait);
	put(b, r->delay);
	put(b, r->run);
	put(b, r->cpu);
	put(b, r->thread);
	put(b, r->next);
	put(b, r->comm);
	put(b, r->next_comm);
	b->data[b->used++] = (uint8_t)(r->letter | (r->doubt ? DOUBT : 0));
	s->last_time = r->time;
	s->n++;
}

void
cp_schedrows_open(
    struct cp_schedrows_reader *r, const struct cp_schedrows *rows)
{
	*r = (struct cp_schedrows_reader){ .rows = rows, .block = rows->first };
}

static uint64_t
get(struct cp_schedrows_reader *r)
{
	uint64_t v = 0;
	unsigned shift = 0;
	uint8_t byte;

	do {
		byte = r->block->data[r->at++];
		v |= (uint64_t)(byte & 127) << shift;
		shift += 7;
	} while (byte >= 128);
	return v;
}

struct cp_sched_row
cp_schedrows_next(struct cp_schedrows_reader *r)
{
	struct cp_sched_row row;

	if (r->at == r->block->used) {
		r->block = r->block->next;
		r->at = 0;
	}
	r->n++;
	row.time = r->time += get(r);
	row.wait = get(r);
	row.delay = get(r);
	row.run = get(r);
	row.cpu = (uint32_t)get(r);
	row.thread = (uint32_t)get(r);
	row.next = (uint32_t)get(r);
	row.comm = (cp_string_id)get(r);
	row.next_comm = (cp_string_id)get(r);
	row.letter = (char)(r->block->data[r->at] & ~DOUBT);
	row.doubt = (r->block->data[r->at++] & DOUBT) != 0;
	return row;
}

struct cp_sched_row
cp_schedrows_at(struct cp_schedrows_reader *r, const struct cp_schedrows *rows,
    uint64_t row)
{
	if (row < r->n || r->rows == NULL)
		cp_schedrows_open(r, rows);
	while (r->n < row)
		(void)cp_schedrows_next(r);
	return cp_schedrows_next(r);
}

/* ----------------------------------------------------------------- timing */

static struct cp_schedrows_cpu *
cpu_get(struct cp_schedrows *s, uint32_t cpu)
{
	uint32_t i = cpu + 1; /* CP_NO_ID is 0 */

	if (i > CP_SCHED_CPUS)
		i = 0;
	if (i >= s->n_cpus) {
		uint32_t n = i < 32 ? 64 : 2 * i;
		struct cp_schedrows_cpu *all =
		    cp_run_alloc(s->run, n * sizeof(*all));

		if (s->n_cpus != 0)
			memcpy(all, s->cpu, s->n_cpus * sizeof(*all));
		s->cpu = all;
		s->n_cpus = n;
	}
	return &s->cpu[i];
}

static cp_string_id
name_of(const struct cp_schedrows *s, const struct cp_sched_thread *t)
{
	if (t == NULL)
		return 0;
	return t->comm != 0 ? t->comm : cp_sched_thread_name(s->tasks, t);
}

bool
cp_schedrows_keeps(const struct cp_schedrows *s,
    const struct cp_sched_thread *t, cp_string_id comm)
{
	if (t == NULL)
		return cp_run_keeps_task(s->run, 0, 0, 0);
	return cp_run_keeps_task(
	    s->run, cp_sched_thread_pid(s->tasks, t), t->tid, comm);
}

/* Computes the times of the thread that leaves the CPU, by perf's rules. */
static void
times(struct cp_sched_row *r, const struct cp_schedrows_cpu *c,
    const struct cp_sched_timing *t)
{
	if (c->last == 0)
		return;
	r->doubt = c->lost || c->next != r->thread;
	r->run = r->time - c->last;
	if (t->out != 0 && t->out <= c->last)
		r->wait = c->last - t->out;
	if (t->ready != 0 && t->ready <= c->last)
		r->delay = c->last - t->ready;
}

static void
lost(struct cp_schedrows *s, uint32_t cpu)
{
	if (cpu != CP_NO_ID)
		cpu_get(s, cpu)->lost = true;
	else
		for (uint32_t i = 0; i < s->n_cpus; i++)
			s->cpu[i].lost = true;
}

static void
on_switch(struct cp_schedrows *s, const struct cp_sched_event *ev)
{
	const struct cp_sched_thread *who = s->tasks->who;
	const struct cp_sched_thread *next = s->tasks->next;
	struct cp_schedrows_cpu *c = cpu_get(s, ev->cpu);
	struct cp_sched_row r = { .time = ev->time,
		.cpu = ev->cpu < CP_SCHED_CPUS ? ev->cpu + 1 : 0,
		.letter = who != NULL ? ev->letter : 'I',
		.thread = who != NULL ? who->index + 1 : 0,
		.next = next != NULL ? next->index + 1 : 0,
		.comm = name_of(s, who),
		.next_comm = name_of(s, next) };
	struct cp_sched_timing *t =
	    who != NULL ? cp_slab_at(&s->threads, who->index) : &c->idle;

	times(&r, c, t);
	t->out = ev->time;
	t->ready = ev->runnable ? ev->time : 0;
	c->last = ev->time;
	c->next = r.next;
	c->lost = false;
	if (cp_run_keeps_time(s->run, ev->time) &&
	    cp_run_keeps_cpu(s->run, ev->cpu) &&
	    (cp_schedrows_keeps(s, who, r.comm) ||
		(s->arrivals && cp_schedrows_keeps(s, next, r.next_comm)))) {
		append(s, &r);
		c->rows++;
	}
}

void
cp_schedrows_event(struct cp_schedrows *s, const struct cp_sched_event *ev)
{
	const struct cp_sched_thread *who = s->tasks->who;
	struct cp_sched_timing *t;

	if (ev->kind == CP_SCHED_SWITCH) {
		on_switch(s, ev);
	} else if (ev->kind == CP_SCHED_LOST) {
		lost(s, ev->cpu);
	} else if (who != NULL && (ev->kind == CP_SCHED_WAKE ||
				      ev->kind == CP_SCHED_WAKE_NEW)) {
		t = cp_slab_at(&s->threads, who->index);
		if (t->ready == 0)
			t->ready = ev->time;
	}
}
