/* SPDX-License-Identifier: MIT */
/* show: the tables of critical. */
#include "analyses/critical/texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/common/label.h"

static void
name_stacks(struct cp_critical *o)
{
	size_t n = 0,
	       room = 2 * (size_t)o->n_steps + o->n_parts + o->n_hops + 1;
	cp_stack_id *all = cp_run_alloc(o->run, room * sizeof(*all));

	for (uint32_t i = 0; i < o->n_steps; i++) {
		all[n++] = o->step[i].stack;
		all[n++] = o->step[i].handler;
	}
	for (uint32_t i = 0; i < o->n_parts; i++)
		all[n++] = o->part[i].stack;
	for (uint32_t i = 0; i < o->n_hops; i++)
		all[n++] = o->hop[i].stack;
	cp_run_name(o->run, all, n);
	cp_run_free(o->run, all, room * sizeof(*all));
}

/* Who waits for what is done below the hop: "main: child in run". */
static void
make_waiters(struct cp_critical_show *x)
{
	struct cp_critical *o = x->o;
	char text[500];

	x->waiter =
	    cp_run_alloc(o->run, (o->n_hops + (size_t)1) * sizeof(*x->waiter));
	for (uint32_t i = 0; i < o->n_hops; i++) {
		const struct cp_step_hop *h = &o->hop[i];
		cp_string_id at = cp_critical_place(x, h->stack);

		(void)snprintf(text, sizeof(text), "%.40s: %.40s%s%.380s",
		    cp_run_string(o->run, x->name[h->thread]),
		    cp_run_string(
			o->run, cp_critical_class(x, h->stack, h->letter)),
		    at != 0 ? ", " : "", cp_run_string(o->run, at));
		x->waiter[i] = cp_run_intern(o->run, text);
	}
}

/* Where the step was for the most of its time. */
static cp_string_id
where_of(struct cp_critical_show *x, const struct cp_step *s)
{
	cp_stack_id stack = s->stack;
	uint64_t most = 0;

	for (uint32_t i = 0; i < s->parts; i++)
		if (x->o->part[s->part + i].ns > most) {
			most = x->o->part[s->part + i].ns;
			stack = x->o->part[s->part + i].stack;
		}
	return cp_critical_place(x, stack);
}

/* -------------------------------------------------------------------- sums */

static void
add_row(struct cp_critical_show *x, const struct cp_step *s, cp_string_id where,
    uint64_t ns)
{
	cp_string_id wait = cp_critical_wait(x, s),
		     by = cp_run_intern(x->o->run, cp_critical_by(x, s));
	uint32_t at = cp_index_put(&x->keys,
	    (uint64_t)s->thread << 32 |
		cp_index_put(&x->kinds, (uint64_t)wait << 32 | by, s->state),
	    where);
	struct cp_critical_row *r;

	cp_grow_to(x->o->run, x->row, &x->row_cap, at);
	r = &x->row[at];
	*r = (struct cp_critical_row){ s->thread, s->state, wait, by, where,
		r->ns + ns, r->n + 1, r->longest > ns ? r->longest : ns };
	x->n_rows = x->keys.n;
}

static void
add_up(struct cp_critical_show *x)
{
	struct cp_critical *o = x->o;

	for (uint32_t i = 0; i < o->n_steps; i++) {
		const struct cp_step *s = &o->step[i];

		x->of[s->state] += s->end - s->start;
		x->steps[s->state]++;
		for (uint32_t k = 0; k < s->parts; k++)
			add_row(x, s,
			    cp_critical_place(x, o->part[s->part + k].stack),
			    o->part[s->part + k].ns);
		if (s->parts == 0)
			add_row(x, s, cp_critical_place(x, s->stack),
			    s->end - s->start);
	}
}

/* ------------------------------------------------------------------ tables */

#define THREAD_COLUMNS CP_TEXT("Command"), CP_TEXT("PID"), CP_TEXT("TID")

#define THREAD_CELLS(x, thread)                                                \
	cp_run_string((x)->o->run, (x)->name[thread]),                         \
	    cp_cell_id(cp_sched_thread_pid(                                    \
		(x)->o->state, cp_spans_thread((x)->o->state, thread))),       \
	    cp_cell_id(cp_spans_thread((x)->o->state, thread)->tid)

static void
show_paths(struct cp_critical_show *x)
{
	static const struct cp_column_spec columns[] = { CP_COUNT("Path"),
		CP_CLOCK("Start"), CP_TIME("Time"), CP_COUNT("Steps"),
		THREAD_COLUMNS, CP_TEXT("Wait"), CP_TEXT("Where") };
	const struct cp_critical *o = x->o;
	struct cp_table *t = cp_report_table(x->rep, "critical-paths",
	    !x->several ? "The path"
	    : o->path[0].kind == CP_SPAN_KINDS && !o->paired
		? "The path, in each window of --time"
		: "Paths, the longest first",
	    CP_COLUMNS(columns));

	for (uint32_t i = 0; i < o->n_paths; i++) {
		const struct cp_critical_path *p = &o->path[i];

		cp_table_add(t, i + (uint64_t)1, p->start, p->end - p->start,
		    p->steps, THREAD_CELLS(x, p->thread),
		    p->pair != CP_NO_ID
			? o->pairs.recipes
			      .all[cp_pair_recipe(&o->pairs, p->pair)]
			      .name
		    : p->kind != CP_SPAN_KINDS
			? cp_run_string(
			      o->run, cp_critical_class(x, p->stack, p->letter))
			: "",
		    cp_run_string(o->run, cp_critical_place(x, p->stack)));
	}
	cp_table_listing(t);
	if (o->top != 0)
		cp_table_brief(t, o->top);
}

static void
show_states(const struct cp_critical_show *x)
{
	static const struct cp_column_spec columns[] = { CP_TIME("Time"),
		CP_SHARE("Of path"), CP_COUNT("Steps"), CP_TEXT("State"),
		CP_TEXT("Ended by") };
	struct cp_table *t = cp_report_table(x->rep, "critical-states",
	    "What the time depended on", CP_COLUMNS(columns));

	for (int i = 0; i < CP_STEP_STATES; i++) {
		if (x->steps[i] == 0)
			continue;
		cp_table_add(t, x->of[i],
		    cp_share((double)x->of[i], (double)x->elapsed), x->steps[i],
		    cp_step_words[i].state, cp_step_words[i].by);
	}
}

static int
compare_rows(const void *va, const void *vb)
{
	const struct cp_critical_row *a = va, *b = vb;

	if (a->ns != b->ns)
		return a->ns < b->ns ? 1 : -1;
	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->state != b->state)
		return a->state < b->state ? -1 : 1;
	if (a->where != b->where)
		return a->where < b->where ? -1 : 1;
	return (a->by > b->by) - (a->by < b->by);
}

static void
show_account(struct cp_critical_show *x)
{
	static const struct cp_column_spec columns[] = { CP_TIME("Time"),
		CP_SHARE("Of path"), CP_COUNT("Times"), CP_TIME("Longest"),
		THREAD_COLUMNS, CP_TEXT("State"), CP_TEXT("Wait"),
		CP_TEXT("By"), CP_TEXT("Where") };
	struct cp_run *run = x->o->run;
	struct cp_table *t = cp_report_table(x->rep, "critical-account",
	    "By thread, state and place", CP_COLUMNS(columns));

	if (x->n_rows != 0)
		qsort(x->row, x->n_rows, sizeof(*x->row), compare_rows);
	for (uint32_t i = 0; i < x->n_rows; i++) {
		const struct cp_critical_row *r = &x->row[i];

		cp_table_add(t, r->ns,
		    cp_share((double)r->ns, (double)x->elapsed), r->n,
		    r->longest, THREAD_CELLS(x, r->thread),
		    cp_step_words[r->state].state, cp_run_string(run, r->wait),
		    cp_run_string(run, r->by), cp_run_string(run, r->where));
	}
	cp_table_listing(t);
	if (x->o->top != 0)
		cp_table_brief(t, x->o->top);
}

/* ------------------------------------------------------------------- steps */

static int
compare_lengths(const void *va, const void *vb)
{
	uint64_t a = *(const uint64_t *)va, b = *(const uint64_t *)vb;

	return (a < b) - (a > b);
}

/* How long a step of the path is at least that is shown by itself. */
static uint64_t
least_shown(const struct cp_critical_show *x, const struct cp_critical_path *p)
{
	struct cp_critical *o = x->o;
	uint64_t *ns, least;

	if (o->top == 0 || p->steps <= o->top)
		return 0;
	ns = cp_run_alloc(o->run, p->steps * sizeof(*ns));
	for (uint32_t i = 0; i < p->steps; i++)
		ns[i] = o->step[p->first + i].end - o->step[p->first + i].start;
	qsort(ns, p->steps, sizeof(*ns), compare_lengths);
	least = ns[o->top - 1];
	cp_run_free(o->run, ns, p->steps * sizeof(*ns));
	return least;
}

/* Steps that are too short for rows of their own. */
static void
show_short(struct cp_table *t, const struct cp_step *last, uint64_t n,
    uint64_t start, uint64_t ns)
{
	struct cp_word word;
	char text[80];

	if (n == 0)
		return;
	(void)snprintf(text, sizeof(text), "(%s shorter step%s)",
	    cp_word_count(&word, n), cp_word_s(n));
	cp_table_add(t, last->path + (uint64_t)1, start, ns);
	for (int i = 0; i < 3; i++)
		cp_table_cells(t, "");
	cp_table_cells(t, text);
	for (int i = 0; i < 4; i++)
		cp_table_cells(t, "");
}

static void
show_steps(struct cp_critical_show *x)
{
	static const struct cp_column_spec columns[] = { CP_COUNT("Path"),
		CP_CLOCK("Start"), CP_TIME("Time"), THREAD_COLUMNS,
		CP_TEXT("State"), CP_TEXT("Wait"), CP_TEXT("By"),
		CP_TEXT("Where"), CP_TEXT("Waited for by") };
	const struct cp_critical *o = x->o;
	struct cp_table *t = cp_report_table(x->rep, "critical-steps",
	    "The steps, in order of time", CP_COLUMNS(columns));
	struct cp_run *run;

	for (uint32_t p = 0; p < o->n_paths; p++) {
		const struct cp_critical_path *path = &o->path[p];
		uint64_t least = least_shown(x, path), n = 0, ns = 0, start = 0;

		/* The walk went backwards. */
		for (uint32_t i = path->steps; i-- > 0;) {
			const struct cp_step *s = &o->step[path->first + i];

			if (s->end - s->start < least) {
				start = n++ == 0 ? s->start : start;
				ns += s->end - s->start;
				continue;
			}
			show_short(t, s, n, start, ns);
			n = ns = 0;
			run = x->o->run;
			cp_table_add(t, s->path + (uint64_t)1, s->start,
			    s->end - s->start, THREAD_CELLS(x, s->thread),
			    cp_step_words[s->state].state,
			    cp_run_string(run, cp_critical_wait(x, s)),
			    cp_critical_by(x, s),
			    cp_run_string(run, where_of(x, s)),
			    s->hop != CP_NO_ID
				? cp_run_string(run, x->waiter[s->hop])
				: "");
		}
		if (path->steps != 0)
			show_short(t, &o->step[path->first], n, start, ns);
	}
	cp_table_listing(t);
}

void
cp_critical_show(struct cp_critical *o, struct cp_report *rep)
{
	struct cp_critical_show x = {
		.o = o, .rep = rep, .several = o->n_paths > 1
	};

	cp_index_init(&x.stacks, o->run);
	cp_index_init(&x.kinds, o->run);
	cp_index_init(&x.keys, o->run);
	name_stacks(o);
	x.name = cp_run_alloc(
	    o->run, (o->state->n_threads + (size_t)1) * sizeof(*x.name));
	for (uint32_t i = 0; i < o->state->n_threads; i++)
		x.name[i] = cp_sched_thread_name(
		    o->state, cp_spans_thread(o->state, i));
	for (uint32_t i = 0; i < o->n_paths; i++)
		x.elapsed += o->path[i].end - o->path[i].start;
	make_waiters(&x);
	add_up(&x);
	show_paths(&x);
	show_states(&x);
	show_account(&x);
	show_steps(&x);
	cp_critical_tree(&x);
}
