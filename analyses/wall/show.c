/* SPDX-License-Identifier: MIT */
/* show: the tables of wall, and its tree. */
#include "analyses/wall/wall.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/waits/wall.h"

static const char *const words[CP_WALL_STATES] = { "on CPU, user",
	"on CPU, kernel", "on CPU", "runnable, preempted", "runnable, woken up",
	"blocked", "unknown", "not recorded" };

static uint64_t
at_work(const struct cp_wall_line *l)
{
	return l->ns[CP_WALL_USER] + l->ns[CP_WALL_KERNEL] +
	       l->ns[CP_WALL_ON_CPU] + l->ns[CP_WALL_PREEMPTED] +
	       l->ns[CP_WALL_WOKEN];
}

static int
compare_lines(const void *va, const void *vb)
{
	const struct cp_wall_line *a = va, *b = vb;

	if (a->matters != b->matters)
		return a->matters ? -1 : 1;
	if (at_work(a) != at_work(b))
		return at_work(a) < at_work(b) ? 1 : -1;
	if (a->life != b->life)
		return a->life < b->life ? 1 : -1;
	return (a->group > b->group) - (a->group < b->group);
}

#define THREAD_COLUMNS                                                         \
	CP_COUNT("Threads"), CP_TEXT("Command"), CP_TEXT("PID"), CP_TEXT("TID")

static struct cp_table *
threads_table(const struct cp_wall *o, struct cp_report *rep, const char *slug,
    const char *title, const struct cp_column_spec *columns, size_t n)
{
	struct cp_table *t = cp_report_table(rep, slug, title, columns, n);

	cp_table_without(t, o->threads ? "Threads" : "TID");
	cp_table_listing(t);
	if (o->top != 0)
		cp_table_brief(t, o->top);
	return t;
}

static void
thread_cells(
    const struct cp_wall *o, struct cp_table *t, const struct cp_wall_line *l)
{
	const uint64_t *v = o->groups.all[l->group].v;

	cp_table_cells(t, o->count != NULL ? o->count[l->group] : 1,
	    cp_run_string(o->run, (cp_string_id)v[CP_BY_COMM]),
	    cp_cell_id((uint32_t)v[CP_BY_PID]),
	    cp_cell_id((uint32_t)v[CP_BY_TID]));
}

static void
show_lines(struct cp_wall *o, struct cp_report *rep)
{
	/* one per CP_WALL_STATES */
	static const struct cp_column_spec columns[] = { CP_TIME("Lifetime"),
		CP_TIME("User"), CP_TIME("Kernel"), CP_TIME("On CPU"),
		CP_TIME("Preempted"), CP_TIME("Woken"), CP_TIME("Blocked"),
		CP_TIME("Unknown"), CP_TIME("Not recorded"), THREAD_COLUMNS };
	struct cp_table *t = threads_table(o, rep, "wall-threads",
	    "What became of the time of threads", CP_COLUMNS(columns));
	struct cp_wall_line *all =
	    cp_run_alloc(o->run, (o->n_lines + (size_t)1) * sizeof(*all));

	memcpy(all, o->line, o->n_lines * sizeof(*all));
	qsort(all, o->n_lines, sizeof(*all), compare_lines);
	for (uint32_t i = 0; i < o->n_lines; i++) {
		cp_table_add(t, all[i].life);
		for (int s = 0; s < CP_WALL_STATES; s++)
			cp_table_cells(t, all[i].ns[s]);
		thread_cells(o, t, &all[i]);
	}
}

static int
compare_parts(const void *va, const void *vb)
{
	const struct cp_wall_part *a = va, *b = vb;

	if (a->ns != b->ns)
		return a->ns < b->ns ? 1 : -1;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	if (a->state != b->state)
		return a->state < b->state ? -1 : 1;
	return 0;
}

/* Parts of what matters come first; sorted by number they keep their order. */
static void
show_parts(struct cp_wall *o, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_TIME("Time"),
		CP_SHARE("Of lifetime"), CP_COUNT("Times"), CP_TIME("Longest"),
		THREAD_COLUMNS, CP_TEXT("State"), CP_TEXT("Wait"),
		CP_TEXT("By"), CP_TEXT("Where") };
	struct cp_table *t = threads_table(
	    o, rep, "wall-account", "Where the time went", CP_COLUMNS(columns));

	if (o->keys.n != 0)
		qsort(o->part, o->keys.n, sizeof(*o->part), compare_parts);
	for (uint32_t k = 0; k < 2 * o->keys.n; k++) {
		const struct cp_wall_part *p = &o->part[k % o->keys.n];
		const struct cp_wall_line *l = &o->line[p->line];
		struct cp_word share;
		char by[120] = "";

		if (l->matters != (k < o->keys.n) || p->ns == 0)
			continue;
		if (p->by != 0 && p->by_ns < p->ns - p->ns / 200)
			(void)snprintf(by, sizeof(by), "%.80s %s",
			    cp_run_string(o->run, p->by),
			    cp_word_percent(
				&share, (double)p->by_ns, (double)p->ns));
		else if (p->by != 0)
			(void)snprintf(by, sizeof(by), "%.80s",
			    cp_run_string(o->run, p->by));
		cp_table_add(t, p->ns, cp_share((double)p->ns, (double)l->life),
		    p->n, p->longest != 0 ? p->longest : CP_NO_TIME);
		thread_cells(o, t, l);
		cp_table_cells(t, words[p->state],
		    cp_run_string(o->run, p->why), by,
		    cp_run_string(o->run, p->where));
	}
}

static void
show_tree(struct cp_wall *o, struct cp_report *rep)
{
	uint64_t *rest = cp_run_alloc(
	    o->run, (o->waits->n_tasks + (size_t)1) * sizeof(*rest));
	struct cp_walltree w = {
		.waits = { .waits = o->waits,
		    .classes = &o->classes,
		    .blocked = true,
		    .runnable = true,
		    .threads = o->threads },
		.oncpu = &o->oncpu,
		.watch = o->switches ? &o->watch : NULL,
		.all = true,
		.unrecorded = rest,
	};

	for (uint32_t i = 0; i < o->waits->n_tasks; i++) {
		const struct cp_wait_task *t = &o->waits->task[i];
		uint64_t life = cp_wall_lifetime(o, i);
		uint64_t known = 0;

		for (int k = 0; k < CP_SPAN_KINDS; k++)
			known += t->ns[k];
		rest[i] = life > known ? life - known : 0;
	}
	cp_waittree_pools(&w.waits);
	cp_walltree(&w, rep);
}

void
cp_wall_show(struct cp_wall *o, struct cp_report *rep)
{
	show_lines(o, rep);
	show_parts(o, rep);
	show_tree(o, rep);
}
