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

/* The calls of a thread: of one name, or all. */
struct line {
	const char *name; /* NULL: all */
	uint32_t thread;
	struct cp_pair_row *calls, *all;
};

static int
compare_calls(const struct cp_pair_row *a, const struct cp_pair_row *b)
{
	int c = (a->took.sum < b->took.sum) - (a->took.sum > b->took.sum);

	return c != 0 ? c : (a->begun < b->begun) - (a->begun > b->begun);
}

/* Brings a thread's sum before its calls. */
static int
compare_lines(const void *va, const void *vb)
{
	const struct line *a = va, *b = vb;
	int c;

	if (a->thread != b->thread) {
		c = compare_calls(a->all, b->all);
		return c != 0 ? c : a->thread < b->thread ? -1 : 1;
	}
	if (a->name == NULL || b->name == NULL)
		return (a->name != NULL) - (b->name != NULL);
	c = compare_calls(a->calls, b->calls);
	return c != 0 ? c : strcmp(a->name, b->name);
}

#define CALLS_COLUMNS                                                          \
	CP_COUNT("Calls"), CP_COUNT("Errors"), CP_TIME("Time"),                \
	    CP_TIME("On CPU"), CP_TIME("Ready"), CP_TIME("Blocked"),           \
	    CP_QUANTILES_COLUMNS

static void
calls_cells(struct cp_table *t, struct cp_pair_row *c)
{
	uint64_t off = c->off.ready + c->off.blocked + c->off.unknown;

	cp_table_cells(t, c->begun, c->errors, c->took.sum,
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

static void
show_calls(struct cp_syscalls *c, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CALLS_COLUMNS,
		CP_TEXT("Call") };
	struct cp_table *t = cp_report_table(rep, "syscalls",
	    "System calls by time in them", CP_COLUMNS(columns));
	struct cp_pair_rows named;

	(void)cp_syscalls_by_name(c, &named);
	without_switches(c, t);
	for (uint32_t i = 0; i < named.by.n; i++) {
		/* The filters may have left no call. */
		if (named.all[i].begun == 0)
			continue;
		cp_table_row(t);
		calls_cells(t, &named.all[i]);
		cp_table_cells(
		    t, cp_run_string(c->run, (cp_string_id)named.by.all[i].a));
	}
	cp_table_sort(t, "Time");
	cp_table_sort(t, "Calls");
	cp_table_sort(t, "Call");
	cp_table_top(t, cp_run_option_u64(c->run, "top"), "Time");
}

/* The lines of all threads and their calls. */
static struct line *
thread_lines(struct cp_syscalls *c, uint32_t *n)
{
	uint32_t rows = c->rows.by.n;
	struct line *lines =
	    cp_run_alloc(c->run, (rows + c->threads.n) * sizeof(*lines));
	struct cp_pair_row *all =
	    cp_run_alloc(c->run, c->threads.n * sizeof(*all));

	for (uint32_t i = 0; i < rows; i++) {
		const struct cp_pair *of = &c->rows.by.all[i];

		lines[i] = (struct line){ cp_syscalls_name(c, of->b),
			(uint32_t)of->a, &c->rows.all[i], &all[of->a] };
		cp_pair_row_add(c->run, &all[of->a], &c->rows.all[i]);
	}
	for (uint32_t i = 0; i < c->threads.n; i++)
		lines[rows + i] = (struct line){ NULL, i, &all[i], &all[i] };
	*n = rows + c->threads.n;
	qsort(lines, *n, sizeof(*lines), compare_lines);
	return lines;
}

static void
show_threads(struct cp_syscalls *c, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CALLS_COLUMNS,
		CP_TEXT("Command"), CP_TEXT("PID"), CP_TEXT("TID"),
		CP_TEXT("Call") };
	struct cp_table *t = cp_report_table(rep, "syscall-threads",
	    "Threads by time in system calls", CP_COLUMNS(columns));
	uint64_t top = cp_run_option_u64(c->run, "top"), rest = 0;
	uint32_t n, threads = 0, calls = 0;
	const struct line *lines = thread_lines(c, &n);

	without_switches(c, t);
	for (uint32_t i = 0; i < n; i++) {
		const struct line *l = &lines[i];
		const struct cp_pair *thread = &c->threads.all[l->thread];

		/* The filters may have left no call. */
		if (l->calls->begun == 0)
			continue;
		threads += l->name == NULL;
		calls = l->name == NULL ? 0 : calls + 1;
		if (top != 0 && threads > top)
			rest += l->name == NULL ? l->calls->took.sum : 0;
		else if (calls <= THREAD_CALLS) {
			cp_table_row(t);
			cp_table_indent(t, l->name != NULL);
			calls_cells(t, l->calls);
			cp_table_cells(t,
			    cp_run_string(c->run, (cp_string_id)thread->b),
			    cp_cell_id((uint32_t)(thread->a >> 32)),
			    cp_cell_id((uint32_t)thread->a),
			    l->name != NULL ? l->name : "(all)");
		}
	}
	if (top != 0 && threads > top)
		cp_table_rest(t, threads - top, rest);
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

	if (c->slowest.n == 0)
		return;
	t = cp_report_table(
	    rep, "syscall-slowest", "Slowest calls", CP_COLUMNS(columns));
	for (uint32_t i = 0; i < c->slowest.n; i++) {
		const struct cp_call_slow *s = &c->slow[c->slowest.at[i].slot];
		const struct cp_pair *of = &c->rows.by.all[s->row];
		const struct cp_pair *thread = &c->threads.all[of->a];
		const char *error, *text = cp_run_string(c->run, s->arguments);
		char result[32];

		/* "NR 202 (1, 2)": the table has the name. */
		if (strncmp(text, "NR ", 3) == 0 && strchr(text, '(') != NULL)
			text = strchr(text, '(');
		error =
		    s->result < 0 ? cp_errno_name((uint64_t)-s->result) : NULL;
		snprintf(result, sizeof(result), "%" PRId64, s->result);
		cp_table_add(t, s->start, c->slowest.at[i].ns,
		    cp_run_string(c->run, (cp_string_id)thread->b),
		    cp_cell_id((uint32_t)(thread->a >> 32)),
		    cp_cell_id((uint32_t)thread->a), cp_syscalls_name(c, of->b),
		    error != NULL ? error : result, text);
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
	show_calls(c, rep);
	show_threads(c, rep);
	show_slowest(c, rep);
	show_errors(c, rep);
	show_stacks(c, rep);
}
