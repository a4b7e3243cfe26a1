/* SPDX-License-Identifier: MIT */
/* parts: adds up what threads did, by lines, states, reasons and places. */
#include "analyses/wall/wall.h"

#include <stdio.h>

#include "analyses/causes/places.h"
#include "analyses/tasks/pools.h"
#include "analyses/waits/tables.h"

#define SMALL                                                                  \
	100 /* processes of a name are one line below this part of all         \
	     */

/* ------------------------------------------------------------------- lines */

uint64_t
cp_wall_lifetime(const struct cp_wall *o, uint32_t task)
{
	const struct cp_spans *s = o->watch.state;
	const struct cp_sched_thread *t;

	if (!o->switches)
		return o->life[task].lived;
	t = cp_spans_thread(s, task);
	return cp_run_kept_ns(
	    o->run, cp_sched_thread_start(s, t), cp_sched_thread_end(s, t));
}

/* Threads of a pool, and small processes of one name, are one line. */
static void
make_lines(struct cp_wall *o)
{
	uint32_t n = o->waits->n_tasks, *group, *line;
	uint64_t *weight, all = 0;

	cp_groups_init(&o->groups, o->run,
	    1u << CP_BY_COMM | 1u << CP_BY_PID | 1u << CP_BY_TID, 0);
	cp_index_init(&o->who, o->run);
	group = cp_run_alloc(o->run, (n + (size_t)1) * sizeof(*group));
	weight = cp_run_alloc(o->run, (n + (size_t)1) * sizeof(*weight));
	for (uint32_t i = 0; i < n; i++) {
		const struct cp_wait_task *t = &o->waits->task[i];

		group[i] = cp_groups_of(&o->groups,
		    &(struct cp_sample){
			.comm = t->comm, .pid = t->pid, .tid = t->tid });
		weight[group[i]] += t->ns[CP_SPAN_RUNNING];
		all += t->ns[CP_SPAN_RUNNING];
	}
	if (!o->threads)
		o->count =
		    cp_pools_merge_threads(&o->groups, weight, all / SMALL);
	o->of_task = cp_run_alloc(o->run, (n + (size_t)1) * sizeof(*group));
	line = cp_run_alloc(o->run, (o->groups.n + (size_t)1) * sizeof(*line));
	o->line =
	    cp_run_alloc(o->run, (o->groups.n + (size_t)1) * sizeof(*o->line));
	for (uint32_t i = 0; i < n; i++) {
		const struct cp_wait_task *t = &o->waits->task[i];
		uint32_t g = o->groups.alias != NULL ? o->groups.alias[group[i]]
						     : group[i];
		struct cp_wall_line *l;

		(void)cp_index_put(&o->who, (uint64_t)t->pid << 32 | t->tid,
		    !o->switches ? 0 : t->comm);
		if (!t->kept)
			continue;
		if (line[g] == 0)
			line[g] = ++o->n_lines;
		o->of_task[i] = line[g];
		l = &o->line[line[g] - 1];
		l->group = g;
		l->life += cp_wall_lifetime(o, i);
		l->matters |= cp_programs_matter(&o->programs, t->pid, t->comm);
	}
}

/* Adds to a part of a line, from 1; returns the part's number. */
static uint32_t
add(struct cp_wall *o, uint32_t line, const struct cp_wall_part *p)
{
	struct cp_wall_part *to;
	uint32_t i;

	i = cp_index_put(&o->keys, (uint64_t)line << 8 | p->state,
	    (uint64_t)p->why << 32 | p->where);
	cp_grow_to(o->run, o->part, &o->part_cap, i);
	to = &o->part[i];
	to->line = line - 1;
	to->state = p->state;
	to->why = p->why;
	to->where = p->where;
	to->ns += p->ns;
	to->n += p->n;
	to->longest = p->longest > to->longest ? p->longest : to->longest;
	o->line[line - 1].ns[p->state] += p->ns;
	return i;
}

/* "fsync < save < main": the call, and the program's own functions. */
static cp_string_id
place_of(struct cp_wall *o, cp_stack_id stack, struct cp_wall_line *l)
{
	struct cp_where w = cp_place_where(o->run, stack);
	char text[400];

	l->user |= w.user;
	if (w.call == 0 || w.own == 0)
		return w.own != 0 ? w.own : w.call;
	(void)snprintf(text, sizeof(text), "%.100s < %.280s",
	    cp_run_string(o->run, w.call), cp_run_string(o->run, w.own));
	return cp_run_intern(o->run, text);
}

/* ------------------------------------------------------------------- parts */

static void
add_on(void *ctx, const struct cp_oncpu_part *on)
{
	struct cp_wall *o = ctx;
	uint32_t i = cp_index_get(&o->who, (uint64_t)on->pid << 32 | on->tid,
	    !o->switches ? 0 : on->comm);
	struct cp_wall_part p = { .state = CP_WALL_ON_CPU, .ns = on->ns };
	const struct cp_frame *f;
	const struct cp_symbol *s;
	uint32_t line;

	if (i == CP_NO_ID || (line = o->of_task[i]) == 0 || on->samples == 0)
		return;
	f = cp_frame_get(o->run, cp_stack_frame(o->run, on->stack));
	if (f->level != CP_LEVEL_UNKNOWN)
		p.state =
		    f->level == CP_LEVEL_USER || f->level == CP_LEVEL_GUEST_USER
			? CP_WALL_USER
			: CP_WALL_KERNEL;
	p.where = place_of(o, on->stack, &o->line[line - 1]);
	s = cp_frame_symbol(o->run, cp_stack_frame(o->run, on->stack));
	if (p.where == 0 && s != NULL)
		p.where = cp_run_intern(o->run, s->name);
	add(o, line, &p);
}

static void
count_by(struct cp_wall *o, uint32_t part, const char *name, uint64_t ns)
{
	if (part != CP_NO_ID)
		cp_tally_add(o->by, part, cp_run_intern(o->run, name), ns);
}

static void
add_waits(struct cp_wall *o)
{
	const struct cp_waits *w = o->waits;
	uint32_t *of =
	    cp_run_alloc(o->run, (w->rows.n + (size_t)1) * sizeof(*of));

	for (uint32_t i = 0; i < w->rows.n; i++) {
		struct cp_wait_place at =
		    cp_waits_place(w, (uint32_t)w->rows.all[i].b);
		const struct cp_wait_sum *sum = &w->row[i];
		uint32_t line = o->of_task[w->rows.all[i].a];
		struct cp_wall_part p = { .ns = sum->ns,
			.n = sum->took.n + sum->open,
			.longest = sum->took.max };

		of[i] = CP_NO_ID;
		if (at.kind == CP_SPAN_RUNNING || line == 0)
			continue;
		p.state = at.kind == CP_SPAN_PREEMPTED ? CP_WALL_PREEMPTED
			  : at.kind == CP_SPAN_WOKEN   ? CP_WALL_WOKEN
			  : at.kind == CP_SPAN_BLOCKED ? CP_WALL_BLOCKED
						       : CP_WALL_UNKNOWN;
		if (p.state == CP_WALL_BLOCKED) {
			p.why = at.letter == 'N'
				    ? cp_run_intern(o->run, "start")
				    : cp_waitclass(&o->classes, at.stack);
			p.where = place_of(o, at.stack, &o->line[line - 1]);
		}
		of[i] = add(o, line, &p);
	}
	for (uint32_t i = 0; i < w->wakes.n; i++)
		count_by(o, of[w->wake[i].row],
		    cp_waits_waker(w, w->wake[i].link), w->wake[i].ns);
}

/* Who had the CPU of threads that were ready. */
static void
add_takers(struct cp_wall *o)
{
	bool alone = cp_spans_tasks_only(o->watch.state);
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(o->meanwhile.takers, &rows);

	for (size_t i = 0; i < n; i++) {
		uint32_t line = o->of_task[(uint32_t)rows[i].a];
		enum cp_wall_state state = rows[i].a >> 32 == CP_SPAN_PREEMPTED
					       ? CP_WALL_PREEMPTED
					       : CP_WALL_WOKEN;
		const char *name =
		    rows[i].b != CP_IDLE_CPU
			? cp_run_string(o->run,
			      (cp_string_id)o->meanwhile.names.all[rows[i].b].a)
		    : alone ? "(not recorded)"
			    : "(idle CPU)";

		if (line != 0)
			count_by(o,
			    cp_index_get(
				&o->keys, (uint64_t)line << 8 | state, 0),
			    name, rows[i].weight);
	}
}

/* What is left of each line: on the CPU without a sample; not recorded. */
static void
add_rest(struct cp_wall *o)
{
	uint64_t *ran =
	    cp_run_alloc(o->run, (o->n_lines + (size_t)1) * sizeof(*ran));

	for (uint32_t i = 0; i < o->waits->n_tasks; i++)
		if (o->of_task[i] != 0)
			ran[o->of_task[i]] +=
			    o->waits->task[i].ns[CP_SPAN_RUNNING];
	for (uint32_t i = 1; i <= o->n_lines; i++) {
		struct cp_wall_line *l = &o->line[i - 1];
		uint64_t on = l->ns[CP_WALL_USER] + l->ns[CP_WALL_KERNEL] +
			      l->ns[CP_WALL_ON_CPU],
			 all;

		if (ran[i] > on)
			add(o, i,
			    &(struct cp_wall_part){
				.state = CP_WALL_ON_CPU, .ns = ran[i] - on });
		all = 0;
		for (int s = 0; s < CP_WALL_STATES; s++)
			all += l->ns[s];
		/* Samples tell about how long it ran, maybe a bit too much. */
		if (all > l->life)
			l->life = all;
		else if (all < l->life)
			add(o, i,
			    &(struct cp_wall_part){
				.state = CP_WALL_NOT_RECORDED,
				.ns = l->life - all });
		l->matters &= o->programs.found || l->user;
	}
}

static void
find_by(struct cp_wall *o)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(o->by, &rows);

	for (size_t i = 0; i < n; i++) {
		struct cp_wall_part *p = &o->part[rows[i].a];

		if (rows[i].weight > p->by_ns) {
			p->by = (cp_string_id)rows[i].b;
			p->by_ns = rows[i].weight;
		}
	}
}

void
cp_wall_make(struct cp_wall *o)
{
	cp_index_init(&o->keys, o->run);
	o->by = cp_tally_new(o->run);
	make_lines(o);
	cp_oncpu_each(
	    &o->oncpu, o->switches ? &o->watch : NULL, add_on, o, NULL);
	add_waits(o);
	if (o->switches)
		add_takers(o);
	add_rest(o);
	find_by(o);
}
