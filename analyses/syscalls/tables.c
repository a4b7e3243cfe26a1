/* SPDX-License-Identifier: MIT */
/* The tables of syscalls. */
#include "analyses/syscalls/syscalls.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/common/call-paths.h"
#include "analyses/common/label.h"
#include "analyses/common/stack-tree.h"
#include "analyses/common/syscall-names.h"

#define THREAD_CALLS 5 /* shown per thread */

/* A line of a table: the calls of one name, of one thread, or both. */
struct line {
	const char *name;
	uint32_t thread, row;
	struct cp_calls *calls;
};

static int
compare_lines(const void *va, const void *vb)
{
	const struct line *a = va, *b = vb;
	uint64_t x = a->calls->took.sum, y = b->calls->took.sum;
	int c = (x < y) - (x > y);

	if (c == 0)
		c = (a->calls->started < b->calls->started) -
		    (a->calls->started > b->calls->started);
	if (c == 0)
		c = strcmp(a->name, b->name);
	return c != 0 ? c : (a->thread > b->thread) - (a->thread < b->thread);
}

static int
compare_rows(const void *va, const void *vb)
{
	const struct line *a = va, *b = vb;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	return compare_lines(va, vb);
}

static void
add(struct cp_run *run, struct cp_calls *to, const struct cp_calls *from)
{
	to->started += from->started;
	to->errors += from->errors;
	to->off.ready += from->off.ready;
	to->off.blocked += from->off.blocked;
	to->off.unknown += from->off.unknown;
	cp_quantiles_merge(run, &to->took, &from->took);
}

/* Sums by name and by thread; the lines of all rows, thread by thread. */
static struct line *
sum_rows(struct cp_syscalls *c)
{
	struct line *lines = cp_run_alloc(c->run, c->rows.n * sizeof(*lines));

	cp_index_init(&c->named, c->run);
	c->by_name = cp_run_alloc(c->run, c->rows.n * sizeof(*c->by_name));
	c->by_thread =
	    cp_run_alloc(c->run, c->threads.n * sizeof(*c->by_thread));
	for (uint32_t i = 0; i < c->rows.n; i++) {
		const char *name = cp_syscalls_name(c, c->rows.all[i].b);
		uint32_t thread = (uint32_t)c->rows.all[i].a;
		uint32_t named =
		    cp_index_put(&c->named, cp_run_intern(c->run, name), 0);

		lines[i] = (struct line){ name, thread, i, &c->row[i] };
		add(c->run, &c->by_name[named], &c->row[i]);
		add(c->run, &c->by_thread[thread], &c->row[i]);
	}
	qsort(lines, c->rows.n, sizeof(*lines), compare_rows);
	return lines;
}

#define CALLS_COLUMNS                                                          \
	CP_COUNT("Calls"), CP_COUNT("Errors"), CP_TIME("Time"),                \
	    CP_TIME("On CPU"), CP_TIME("Ready"), CP_TIME("Blocked"),           \
	    CP_QUANTILES_COLUMNS

static void
calls_cells(struct cp_table *t, struct cp_calls *c)
{
	uint64_t off = c->off.ready + c->off.blocked + c->off.unknown;

	cp_table_cells(t, c->started, c->errors, c->took.sum,
	    c->took.sum - (off < c->took.sum ? off : c->took.sum), c->off.ready,
	    c->off.blocked, CP_QUANTILES_CELLS(&c->took));
}

/* Nobody knows what threads did without their switches. */
static void
without_switches(const struct cp_syscalls *c, struct cp_table *t)
{
	if (cp_spans_source(c->spans) != CP_SCHED_BY_NOTHING)
		return;
	cp_table_without(t, "On CPU");
	cp_table_without(t, "Ready");
	cp_table_without(t, "Blocked");
}

static uint32_t
shown(const struct cp_syscalls *c, uint32_t n)
{
	uint64_t top = cp_run_option_u64(c->run, "top");

	return top != 0 && top < n ? (uint32_t)top : n;
}

/* Returns the lines before the trailing ones to which filters left no call. */
static uint32_t
used(const struct line *lines, uint32_t n)
{
	while (n > 0 && lines[n - 1].calls->started == 0)
		n--;
	return n;
}

/* Says how many lines, and how much time, a table left out. */
static void
rest_of(struct cp_table *t, const struct line *lines, uint32_t from, uint32_t n)
{
	uint64_t rest = 0;

	for (uint32_t i = from; i < n; i++)
		rest += lines[i].calls->took.sum;
	if (from < n)
		cp_table_rest(t, n - from, rest);
}

static void
show_calls(struct cp_syscalls *c, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CALLS_COLUMNS,
		CP_TEXT("Call") };
	struct cp_table *t = cp_report_table(rep, "syscalls",
	    "System calls by time in them", CP_COLUMNS(columns));

	without_switches(c, t);
	for (uint32_t i = 0; i < c->named.n; i++) {
		struct cp_calls *calls = &c->by_name[i];

		/* The filters may have left no call. */
		if (calls->started == 0)
			continue;
		cp_table_row(t);
		calls_cells(t, calls);
		cp_table_cells(
		    t, cp_run_string(c->run, (cp_string_id)c->named.all[i].a));
	}
	cp_table_sort(t, "Time");
	cp_table_sort(t, "Calls");
	cp_table_sort(t, "Call");
	cp_table_top(t, cp_run_option_u64(c->run, "top"), "Time");
}

static void
thread_row(struct cp_syscalls *c, struct cp_table *t, const struct line *l,
    unsigned depth)
{
	const struct cp_pair *thread = &c->threads.all[l->thread];

	cp_table_row(t);
	cp_table_indent(t, depth);
	calls_cells(t, l->calls);
	cp_table_cells(t, cp_run_string(c->run, (cp_string_id)thread->b),
	    cp_cell_id((uint32_t)(thread->a >> 32)),
	    cp_cell_id((uint32_t)thread->a), l->name);
}

static void
show_threads(
    struct cp_syscalls *c, const struct line *rows, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CALLS_COLUMNS,
		CP_TEXT("Command"), CP_TEXT("PID"), CP_TEXT("TID"),
		CP_TEXT("Call") };
	struct cp_table *t = cp_report_table(rep, "syscall-threads",
	    "Threads by time in system calls", CP_COLUMNS(columns));
	uint32_t n = c->threads.n, top;
	struct line *lines = cp_run_alloc(c->run, n * sizeof(*lines));
	uint32_t *first = cp_run_alloc(c->run, n * sizeof(*first));

	without_switches(c, t);
	for (uint32_t i = 0; i < n; i++)
		lines[i] = (struct line){ "(all)", i, 0, &c->by_thread[i] };
	qsort(lines, n, sizeof(*lines), compare_lines);
	n = used(lines, n);
	top = shown(c, n);
	for (uint32_t k = c->rows.n; k-- > 0;)
		first[rows[k].thread] = k;
	for (uint32_t i = 0; i < top; i++) {
		uint32_t k = first[lines[i].thread], end = k + THREAD_CALLS;

		thread_row(c, t, &lines[i], 0);
		for (; k < end && k < c->rows.n &&
		       rows[k].thread == lines[i].thread &&
		       rows[k].calls->started != 0;
		     k++)
			thread_row(c, t, &rows[k], 1);
	}
	rest_of(t, lines, top, n);
}

static const char *
error_text(struct cp_syscalls *c, uint64_t error)
{
	const char *name = cp_errno_name(error);
	char text[32];

	if (name != NULL)
		return name;
	snprintf(text, sizeof(text), "error %" PRIu64, error);
	return cp_run_string(c->run, cp_run_intern(c->run, text));
}

static void
show_errors(struct cp_syscalls *c, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_COUNT("Count"),
		CP_TEXT("Call"), CP_TEXT("Error") };
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(c->errors, &rows);
	struct cp_table *t;

	if (n == 0)
		return;
	t = cp_report_table(
	    rep, "syscall-errors", "Errors", CP_COLUMNS(columns));
	for (size_t i = 0; i < n; i++)
		cp_table_add(t, rows[i].count, cp_syscalls_name(c, rows[i].a),
		    error_text(c, rows[i].b));
	cp_table_sort(t, "Count");
	cp_table_sort(t, "Call");
	cp_table_sort(t, "Error");
	cp_table_top(t, cp_run_option_u64(c->run, "top"), "Count");
}

static void
show_slowest(struct cp_syscalls *c, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_CLOCK("Began"),
		CP_TIME("Time"), CP_TEXT("Command"), CP_TEXT("PID"),
		CP_TEXT("TID"), CP_TEXT("Call"), CP_TEXT("Result"),
		CP_PROSE("Arguments") };
	struct cp_table *t;

	if (c->n_slow == 0)
		return;
	t = cp_report_table(
	    rep, "syscall-slowest", "Slowest calls", CP_COLUMNS(columns));
	for (uint32_t i = 0; i < c->n_slow; i++) {
		const struct cp_call_slow *s = &c->slow[i];
		const struct cp_pair *of = &c->rows.all[s->row];
		const struct cp_pair *thread = &c->threads.all[of->a];
		const char *error;
		char result[32];

		error =
		    s->result < 0 ? cp_errno_name((uint64_t)-s->result) : NULL;
		snprintf(result, sizeof(result), "%" PRId64, s->result);
		cp_table_add(t, s->start, s->ns,
		    cp_run_string(c->run, (cp_string_id)thread->b),
		    cp_cell_id((uint32_t)(thread->a >> 32)),
		    cp_cell_id((uint32_t)thread->a), cp_syscalls_name(c, of->b),
		    error != NULL ? error : result,
		    s->arguments != 0 ? cp_run_string(c->run, s->arguments)
				      : "");
	}
}

static void
show_stacks(struct cp_syscalls *c, struct cp_report *rep)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(c->stacks, &rows);
	struct cp_stacktree tree;

	if (n == 0)
		return;
	cp_stacktree_init(&tree, c->run,
	    cp_report_tree(
		rep, "syscall-stacks", "Stacks by time in system calls"));
	cp_tree_unit(tree.tree, "time", CP_COL_TIME, "calls");
	cp_rows_name(c->run, rows, n);
	for (size_t i = 0; i < n; i++)
		cp_stacktree_add(&tree,
		    cp_stacktree_stack(&tree, 0, (cp_stack_id)rows[i].b, 0),
		    rows[i].weight, rows[i].count);
	cp_stacktree_finish(&tree);
}

void
cp_syscalls_tables(struct cp_syscalls *c, struct cp_report *rep)
{
	const struct line *rows = sum_rows(c);

	show_calls(c, rep);
	show_threads(c, rows, rep);
	show_slowest(c, rep);
	show_errors(c, rep);
	show_stacks(c, rep);
}
