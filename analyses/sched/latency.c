/* SPDX-License-Identifier: MIT */
/*
 * analyses/sched/latency.c: the table of waits for a CPU, as perf sched latency
 * sorts and merges it, with percentiles; and their histogram.
 */
#include "analyses/sched/tables.h"

#include <stdlib.h>
#include <string.h>

#include "analyses/common/label.h"
#include "analyses/sched/delays.h"

enum { SHARES = 5 };
static const double shares[SHARES] = { 0.5, 0.9, 0.95, 0.99, 0.999 };

struct row {
	struct cp_sched *s;
	const struct cp_sched_thread *thread; /* the first */
	cp_string_id comm;
	uint32_t threads;
	uint32_t at; /* of its stores among all */
	uint64_t run_ns, waits, sum, average, max, max_at;
};

struct rows {
	struct row *row;
	size_t n;
	const struct cp_delays **store; /* of the rows, one after the other */
};

static int
descending(uint64_t a, uint64_t b)
{
	return (a < b) - (a > b);
}

static int
compare_names(const void *va, const void *vb)
{
	const struct row *a = va, *b = vb;
	int c = strcmp(cp_run_string(a->s->run, a->comm),
	    cp_run_string(a->s->run, b->comm));

	return c != 0 ? c
		      : (a->thread->index > b->thread->index) -
			    (a->thread->index < b->thread->index);
}

static int
compare_rows(const void *va, const void *vb)
{
	const struct row *a = va, *b = vb;
	int c = descending(a->average, b->average);

	if (c == 0)
		c = descending(a->max, b->max);
	if (c == 0)
		c = descending(a->waits, b->waits);
	if (c == 0)
		c = descending(a->run_ns, b->run_ns);
	return c != 0 ? c : compare_names(va, vb);
}

static struct row
row_of(struct cp_sched *s, const struct cp_sched_thread *t)
{
	const struct cp_runqueue_thread *r =
	    cp_runqueue_thread(&s->queue, t->index);

	return (struct row){ .s = s,
		.thread = t,
		.threads = 1,
		.comm = s->by_cgroup
			    ? cp_run_intern(s->run,
				  cp_cgroup_label(s->run,
				      cp_task_group(&s->groups, t->index)))
			    : cp_sched_thread_name(s->tasks, t),
		.run_ns = cp_sched_run_ns(s, t),
		.waits = r->delays.count,
		.sum = r->delays.sum,
		.max = r->longest.end - r->longest.start,
		.max_at = r->longest.end };
}

/* Merges rows of the same name, which are adjacent. */
static size_t
merge_names(struct row *row, size_t n)
{
	size_t to = 0;

	for (size_t i = 0; i < n; i++) {
		struct row *last = to != 0 ? &row[to - 1] : NULL;

		if (last == NULL || last->comm != row[i].comm) {
			row[to++] = row[i];
			continue;
		}
		last->threads++;
		last->run_ns += row[i].run_ns;
		last->waits += row[i].waits;
		last->sum += row[i].sum;
		if (row[i].max > last->max) {
			last->max = row[i].max;
			last->max_at = row[i].max_at;
		}
	}
	return to;
}

static void
rows_make(struct cp_sched *s, struct rows *rows)
{
	uint32_t n = s->tasks->n_threads;

	*rows =
	    (struct rows){ .row = cp_run_alloc(s->run, n * sizeof(*rows->row)),
		    .store = cp_run_alloc(s->run, n * sizeof(*rows->store)) };
	for (uint32_t i = 0; i < n; i++) {
		const struct cp_sched_thread *t = cp_spans_thread(s->tasks, i);

		if (cp_sched_shows(s, t))
			rows->row[rows->n++] = row_of(s, t);
	}
	if (s->by_comm)
		qsort(rows->row, rows->n, sizeof(*rows->row), compare_names);
	for (size_t i = 0; i < rows->n; i++) {
		struct row *r = &rows->row[i];

		rows->store[i] =
		    &cp_runqueue_thread(&s->queue, r->thread->index)->delays;
		r->at = (uint32_t)i;
	}
	if (s->by_comm)
		rows->n = merge_names(rows->row, rows->n);
	for (size_t i = 0; i < rows->n; i++)
		if (rows->row[i].waits != 0)
			rows->row[i].average =
			    rows->row[i].sum / rows->row[i].waits;
	qsort(rows->row, rows->n, sizeof(*rows->row), compare_rows);
}

/* A row of several threads shows no id. */
static void
ids(struct cp_table *t, const struct row *r)
{
	if (r->threads > 1) {
		cp_table_cells(t, "", "");
		return;
	}
	cp_table_cells(t,
	    cp_cell_id(cp_sched_thread_pid(r->s->tasks, r->thread)),
	    cp_cell_id(r->thread->tid));
}

static void
row_show(const struct rows *rows, const struct row *r, struct cp_table *t)
{
	uint64_t at[SHARES];

	cp_delays_ask(&r->s->queue.pool, &rows->store[r->at], r->threads,
	    shares, at, SHARES);
	cp_table_add(t, cp_run_string(r->s->run, r->comm));
	ids(t, r);
	cp_table_cells(t, r->run_ns, r->waits, r->average);
	for (int i = 0; i < SHARES; i++)
		cp_table_cells(t, at[i]);
	cp_table_cells(t, r->max, r->max_at != 0 ? r->max_at : CP_NO_TIME);
}

static void
show_histogram(
    struct cp_sched *s, const struct rows *rows, struct cp_report *rep)
{
	struct cp_histogram *h;
	size_t n = 0;

	for (size_t i = 0; i < rows->n; i++)
		n += rows->row[i].threads;
	h = cp_report_histogram(
	    rep, "delays", "Waits for a CPU by length", "delay", CP_COL_TIME);
	cp_delays_show(s->run, rows->store, n, h);
}

void
cp_sched_latency(struct cp_sched *s, struct cp_report *rep)
{
	static const struct cp_column_spec names[] = {
		CP_COLUMN("Command", CP_COL_TEXT, 0, "comm"),
		CP_COLUMN("Control group", CP_COL_TEXT, 0, "cgroup")
	};
	static const struct cp_column_spec columns[] = { CP_TEXT("PID"),
		CP_TEXT("TID"), CP_COLUMN("Run", CP_COL_TIME, 0, "run_ns"),
		CP_COUNT("Waits"),
		CP_COLUMN("Average", CP_COL_TIME, 0, "delay_avg_ns"),
		CP_COLUMN("p50", CP_COL_TIME, 0, "delay_p50_ns"),
		CP_COLUMN("p90", CP_COL_TIME, 0, "delay_p90_ns"),
		CP_COLUMN("p95", CP_COL_TIME, 0, "delay_p95_ns"),
		CP_COLUMN("p99", CP_COL_TIME, 0, "delay_p99_ns"),
		CP_COLUMN("p99.9", CP_COL_TIME, 0, "delay_p999_ns"),
		CP_COLUMN("Max", CP_COL_TIME, 0, "delay_max_ns"),
		CP_COLUMN("Max at", CP_COL_CLOCK, 0, "delay_max_at_ns") };
	struct cp_table *t = cp_report_table(
	    rep, "latency", "Waits for a CPU", &names[s->by_cgroup], 1);
	struct rows rows;
	size_t shown;

	cp_table_columns(t, CP_COLUMNS(columns));
	rows_make(s, &rows);
	cp_table_brief(t, s->text_rows);
	shown = s->top != 0 && s->top < rows.n ? (size_t)s->top : rows.n;
	for (size_t i = 0; i < shown; i++)
		row_show(&rows, &rows.row[i], t);
	if (shown < rows.n)
		cp_table_rest(t, rows.n - shown, 0);
	if (rows.n != 0)
		show_histogram(s, &rows, rep);
}
