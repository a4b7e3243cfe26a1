/* SPDX-License-Identifier: MIT */
/*
 * syscalls: how often each system call was made, how it failed, how long it
 * took; per call and per thread.
 *
 * From raw_syscalls:sys_enter and sys_exit, or from the events of single
 * calls (syscalls:sys_enter_NAME); with both, only the former are counted.  A
 * call is from its enter to the next exit of its thread.  One whose end is
 * not in the capture is counted and has no time, and so has one during which
 * records were lost.  With call chains of the enters there is a tree of the
 * stacks by time.  Does not decode arguments.
 */
#include <coldperf/plugin.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/common/call-paths.h"
#include "analyses/common/percentiles.h"
#include "analyses/common/record-hint.h"
#include "analyses/common/stack-tree.h"
#include "analyses/common/syscall-names.h"
#include "analyses/common/label.h"

#define THREAD_CALLS 5 /* shown per thread */
#define MAX_ERRNO 4095u
/* Marks the numbers of 32-bit programs. */
#define NARROW (UINT64_C(1) << 31)

enum probe { RAW_ENTER, RAW_EXIT, ENTER, EXIT };
enum field { NUMBER, RESULT };

static const struct cp_probe probes[] = {
	[RAW_ENTER] = { "raw_syscalls:sys_enter", { "id" } },
	[RAW_EXIT] = { "raw_syscalls:sys_exit", { "id", "ret" } },
	[ENTER] = { "syscalls:sys_enter_*", { "__syscall_nr|nr" } },
	[EXIT] = { "syscalls:sys_exit_*", { "__syscall_nr|nr", "ret" } },
	{ NULL, { NULL } },
};

static const struct cp_recipe_pair pairs[] = {
	{ { "raw_syscalls:sys_enter", "raw_syscalls:sys_exit" } },
	{ { "syscalls:sys_enter_*", "syscalls:sys_exit_*" } },
	{ { NULL, NULL } },
};

struct calls {
	uint64_t started, errors;
	struct cp_quantiles took; /* of those that ended */
};

struct in_call {
	uint64_t time;
	uint64_t call; /* key of calls */
	uint32_t row;  /* thread and call */
	cp_stack_id stack;
	bool active;
	bool kept; /* its enter passed the filters */
	uint32_t epoch;
};

struct syscalls {
	struct cp_run *run;
	struct cp_probes probes;
	bool raw, chains, looked;
	struct cp_index threads; /* (pid and tid, comm) */
	struct cp_index rows;    /* (thread, call) */
	struct calls *row;
	uint32_t row_cap;
	struct cp_index tids;
	struct in_call *open; /* by number in tids */
	uint32_t open_cap;
	struct cp_tally *errors; /* call, error */
	struct cp_tally *stacks; /* 0, stack: time */
	uint32_t epoch;          /* counts losses of records */
	uint64_t unfinished, unstarted, unknown, last;

	/* Of finish(). */
	struct cp_index named; /* calls by (name, 0) */
	struct calls *by_name;
	struct calls *by_thread;
};

static int
syscalls_begin(struct cp_run *run, void *state)
{
	struct syscalls *c = state;

	c->run = run;
	cp_probes_init(&c->probes, run, probes);
	cp_index_init(&c->threads, run);
	cp_index_init(&c->rows, run);
	cp_index_init(&c->tids, run);
	c->errors = cp_tally_new(run);
	c->stacks = cp_tally_new(run);
	return CP_OK;
}

/* The number, or the name's id above all numbers. */
static uint64_t
call_of(
    struct syscalls *c, const struct cp_probe_at *p, const struct cp_sample *s)
{
	uint64_t number = UINT32_MAX;

	if (p->rest[0] != '\0')
		return (uint64_t)cp_run_intern(c->run, p->rest) << 32;
	(void)cp_probe_u64(p, NUMBER, s, &number);
	number &= NARROW - 1;
	return cp_run_thread_narrow(c->run, s->tid) ? number | NARROW : number;
}

static const char *
name_of(struct syscalls *c, uint64_t call)
{
	const char *name;
	char text[48];

	if (call >> 32 != 0)
		return cp_run_string(c->run, (cp_string_id)(call >> 32));
	name =
	    cp_syscall_name(c->run, call & (NARROW - 1), (call & NARROW) != 0);
	if (name != NULL)
		return name;
	if ((call & (NARROW - 1)) == NARROW - 1)
		return "syscall -1"; /* seccomp or a tracer left it out */
	snprintf(text, sizeof(text), "syscall %" PRIu64 "%s",
	    call & (NARROW - 1), (call & NARROW) != 0 ? " of 32 bits" : "");
	return cp_run_string(c->run, cp_run_intern(c->run, text));
}

/* execve begins as a call of one kind of program and ends as the other's. */
static bool
same_call(struct syscalls *c, uint64_t a, uint64_t b)
{
	return a == b || ((a ^ b) >> 31 == 1 &&
			     strcmp(name_of(c, a), name_of(c, b)) == 0);
}

static struct in_call *
open_of(struct syscalls *c, uint32_t tid)
{
	uint32_t i = cp_index_put(&c->tids, tid, 0);

	cp_grow_to(c->run, c->open, &c->open_cap, i);
	return &c->open[i];
}

static uint32_t
row_of(struct syscalls *c, const struct cp_sample *s, uint64_t call)
{
	uint32_t thread =
	    cp_index_put(&c->threads, (uint64_t)s->pid << 32 | s->tid, s->comm);
	uint32_t row = cp_index_put(&c->rows, thread, call);

	cp_grow_to(c->run, c->row, &c->row_cap, row);
	return row;
}

/* The exit of the call before was not recorded. */
static void
drop(struct syscalls *c, struct in_call *in)
{
	if (in->active && in->kept)
		c->unfinished++;
	in->active = false;
}

static void
enter(struct syscalls *c, const struct cp_sample *s, uint64_t call)
{
	struct in_call *in = open_of(c, s->tid);

	drop(c, in);
	*in = (struct in_call){ .time = s->time,
		.call = call,
		.row = row_of(c, s, call),
		.stack = s->stack,
		.active = true,
		.kept = s->kept,
		.epoch = c->epoch };
	if (s->kept)
		c->row[in->row].started++;
}

static void
count_result(struct syscalls *c, uint32_t row, uint64_t call, uint64_t ret)
{
	if (-ret - 1 >= MAX_ERRNO)
		return;
	c->row[row].errors++;
	cp_tally_add(c->errors, call, -ret, 1);
}

static void
took(struct syscalls *c, const struct in_call *in, uint64_t now)
{
	uint64_t ns = now - in->time;

	cp_quantiles_add(c->run, &c->row[in->row].took, ns, in->time);
	if (c->chains)
		cp_tally_add(c->stacks, 0, in->stack, ns);
}

/* What its parent called returns in a new thread, too. */
static bool
begins_thread(struct syscalls *c, uint64_t call, uint64_t ret)
{
	static const char *const names[] = { "clone", "clone3", "fork",
		"vfork" };

	for (size_t i = 0; ret == 0 && i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(name_of(c, call), names[i]) == 0)
			return true;
	return false;
}

static void
leave(
    struct syscalls *c, const struct cp_sample *s, uint64_t call, uint64_t ret)
{
	struct in_call *in = open_of(c, s->tid);
	bool same = in->active && same_call(c, in->call, call);
	bool begins = !same && begins_thread(c, call, ret);
	uint32_t row;

	if (!same)
		drop(c, in);
	in->active = false;
	if (!s->kept || begins)
		return;
	row = same ? in->row : row_of(c, s, call);
	if (!same || !in->kept) {
		c->row[row].started++;
		c->unstarted += !same;
	}
	count_result(c, row, call, ret);
	if (!same || s->time < in->time)
		return;
	if (in->epoch != c->epoch)
		c->unknown++;
	else
		took(c, in, s->time);
}

static int
syscalls_sample(struct cp_run *run, void *state, const struct cp_sample *s)
{
	struct syscalls *c = state;
	const struct cp_probe_at *p = cp_probes_of(&c->probes, s);
	uint64_t call, ret = 0;

	if (s->time == CP_NO_TIME)
		return CP_OK;
	c->last = s->time;
	if (p == NULL)
		return CP_OK;
	if (!c->looked)
		c->chains = cp_probes_have_chains(run, probes);
	c->looked = true;
	c->raw |= p->probe <= RAW_EXIT;
	if (c->raw && p->probe > RAW_EXIT)
		return CP_OK;
	call = call_of(c, p, s);
	if (p->probe == RAW_ENTER || p->probe == ENTER)
		enter(c, s, call);
	else if (cp_probe_u64(p, RESULT, s, &ret))
		leave(c, s, call, ret);
	return CP_OK;
}

static int
syscalls_event(struct cp_run *run, void *state, const struct cp_sideband *e)
{
	struct syscalls *c = state;

	c->epoch += e->kind == CP_SIDE_LOST;
	if (e->kind == CP_SIDE_EXIT)
		drop(c, open_of(c, e->tid));
	return CP_OK;
}

/* ------------------------------------------------------------------ finish */

/* A line of a table: the calls of one name, of one thread, or both. */
struct line {
	const char *name;
	uint32_t thread, row;
	struct calls *calls;
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
add(struct cp_run *run, struct calls *to, const struct calls *from)
{
	to->started += from->started;
	to->errors += from->errors;
	cp_quantiles_merge(run, &to->took, &from->took);
}

/* Sums by name and by thread; the lines of all rows, thread by thread. */
static struct line *
sum_rows(struct syscalls *c)
{
	struct line *lines = cp_run_alloc(c->run, c->rows.n * sizeof(*lines));

	cp_index_init(&c->named, c->run);
	c->by_name = cp_run_alloc(c->run, c->rows.n * sizeof(*c->by_name));
	c->by_thread =
	    cp_run_alloc(c->run, c->threads.n * sizeof(*c->by_thread));
	for (uint32_t i = 0; i < c->rows.n; i++) {
		const char *name = name_of(c, c->rows.all[i].b);
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

static void
calls_columns(struct cp_table *t)
{
	cp_table_column(t, "Calls", CP_COL_COUNT);
	cp_table_column(t, "Errors", CP_COL_COUNT);
	cp_table_column(t, "Time", CP_COL_TIME);
	cp_quantiles_columns(t);
}

static void
calls_cells(struct cp_table *t, struct calls *c)
{
	cp_table_u64(t, c->started);
	cp_table_u64(t, c->errors);
	cp_table_u64(t, c->took.sum);
	cp_quantiles_cells(t, &c->took);
}

static uint32_t
shown(const struct syscalls *c, uint32_t n)
{
	uint64_t top = cp_run_option_u64(c->run, "top");

	return top != 0 && top < n ? (uint32_t)top : n;
}

/* Without those at the end that a filter left no call. */
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
show_calls(struct syscalls *c, struct cp_report *rep)
{
	struct cp_table *t =
	    cp_report_table(rep, "syscalls", "System calls by time in them");
	uint32_t n = c->named.n, top;
	struct line *lines = cp_run_alloc(c->run, n * sizeof(*lines));

	calls_columns(t);
	cp_table_column(t, "Call", CP_COL_TEXT);
	for (uint32_t i = 0; i < n; i++)
		lines[i] = (struct line){ .name = cp_run_string(c->run,
					      (cp_string_id)c->named.all[i].a),
			.calls = &c->by_name[i] };
	qsort(lines, n, sizeof(*lines), compare_lines);
	n = used(lines, n);
	top = shown(c, n);
	for (uint32_t i = 0; i < top; i++) {
		cp_table_row(t);
		calls_cells(t, lines[i].calls);
		cp_table_text(t, lines[i].name);
	}
	rest_of(t, lines, top, n);
}

static void
thread_row(struct syscalls *c, struct cp_table *t, const struct line *l,
    unsigned depth)
{
	const struct cp_pair *thread = &c->threads.all[l->thread];
	struct cp_word word;

	cp_table_row(t);
	cp_table_indent(t, depth);
	calls_cells(t, l->calls);
	cp_table_text(t, cp_run_string(c->run, (cp_string_id)thread->b));
	cp_table_text(t, cp_word_id(&word, (uint32_t)(thread->a >> 32)));
	cp_table_text(t, cp_word_id(&word, (uint32_t)thread->a));
	cp_table_text(t, l->name);
}

static void
show_threads(struct syscalls *c, const struct line *rows, struct cp_report *rep)
{
	struct cp_table *t = cp_report_table(
	    rep, "syscall-threads", "Threads by time in system calls");
	uint32_t n = c->threads.n, top;
	struct line *lines = cp_run_alloc(c->run, n * sizeof(*lines));
	uint32_t *first = cp_run_alloc(c->run, n * sizeof(*first));

	calls_columns(t);
	cp_table_column(t, "Command", CP_COL_TEXT);
	cp_table_column(t, "PID", CP_COL_TEXT);
	cp_table_column(t, "TID", CP_COL_TEXT);
	cp_table_column(t, "Call", CP_COL_TEXT);
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

struct failure {
	const char *call, *error;
	uint64_t count;
};

static int
compare_failures(const void *va, const void *vb)
{
	const struct failure *a = va, *b = vb;
	int c = (a->count < b->count) - (a->count > b->count);

	if (c == 0)
		c = strcmp(a->call, b->call);
	return c != 0 ? c : strcmp(a->error, b->error);
}

static const char *
error_text(struct syscalls *c, uint64_t error)
{
	const char *name = cp_errno_name(error);
	char text[32];

	if (name != NULL)
		return name;
	snprintf(text, sizeof(text), "error %" PRIu64, error);
	return cp_run_string(c->run, cp_run_intern(c->run, text));
}

static void
show_errors(struct syscalls *c, struct cp_report *rep)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(c->errors, &rows);
	struct failure *all = cp_run_alloc(c->run, n * sizeof(*all));
	struct cp_table *t;
	uint64_t rest = 0;

	if (n == 0)
		return;
	t = cp_report_table(rep, "syscall-errors", "Errors");
	cp_table_column(t, "Count", CP_COL_COUNT);
	cp_table_column(t, "Call", CP_COL_TEXT);
	cp_table_column(t, "Error", CP_COL_TEXT);
	for (size_t i = 0; i < n; i++)
		all[i] = (struct failure){ name_of(c, rows[i].a),
			error_text(c, rows[i].b), rows[i].count };
	qsort(all, n, sizeof(*all), compare_failures);
	for (size_t i = 0; i < n; i++) {
		if (i >= shown(c, (uint32_t)n)) {
			rest += all[i].count;
			continue;
		}
		cp_table_row(t);
		cp_table_u64(t, all[i].count);
		cp_table_text(t, all[i].call);
		cp_table_text(t, all[i].error);
	}
	if (rest != 0)
		cp_table_rest(t, n - shown(c, (uint32_t)n), rest);
}

static void
show_stacks(struct syscalls *c, struct cp_report *rep)
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

/* Calls in progress at the end, and those that have no time for a reason. */
static void
notes(struct syscalls *c, struct cp_report *rep)
{
	uint64_t open = 0, longest = 0;
	struct cp_word n, time;

	for (uint32_t i = 0; i < c->tids.n; i++)
		if (c->open[i].active && c->open[i].kept) {
			open++;
			if (c->last - c->open[i].time > longest)
				longest = c->last - c->open[i].time;
		}
	if (open != 0)
		cp_report_note(rep,
		    "in progress at the end of the capture: %s, the longest "
		    "for %s; counted, without a time",
		    cp_word_count(&n, open), cp_word_time(&time, longest));
	if (c->unstarted != 0)
		cp_report_note(rep,
		    "ended, their begin not recorded: %s; counted, without a "
		    "time",
		    cp_word_count(&n, c->unstarted));
	if (c->unfinished != 0)
		cp_report_note(rep,
		    "begun, their end not recorded (exit, exec, lost): %s; "
		    "counted, without a time",
		    cp_word_count(&n, c->unfinished));
	if (c->unknown != 0)
		cp_report_note(rep,
		    "of unknown length, because records were lost meanwhile: "
		    "%s; counted, without a time",
		    cp_word_count(&n, c->unknown));
}

static int
syscalls_finish(struct cp_run *run, void *state, struct cp_report *rep)
{
	struct syscalls *c = state;
	const struct line *rows;

	if (c->rows.n == 0) {
		cp_recipe_note(rep, "system calls",
		    "-e raw_syscalls:sys_enter,raw_syscalls:sys_exit");
		return CP_OK;
	}
	rows = sum_rows(c);
	show_calls(c, rep);
	show_threads(c, rows, rep);
	show_errors(c, rep);
	show_stacks(c, rep);
	notes(c, rep);
	cp_recipe_unpaired(run, pairs, rep);
	cp_recipe_sampled(run, probes, rep);
	return CP_OK;
}

static const struct cp_option syscalls_options[] = {
	{ "top", "N", "20", "show the N longest of each table, 0: all" },
	CP_OPTION_GUESS_SUFFIX,
	{ NULL, NULL, NULL, NULL },
};

CP_ANALYSIS_DEFINE(syscalls) = {
	.abi = CP_ABI,
	.name = "syscalls",
	.summary = "system calls: count, errors, latency per call and thread",
	.wants = CP_WANT_SAMPLES | CP_WANT_STACKS | CP_WANT_NAMES |
		 CP_WANT_RAW | CP_WANT_ALL,
	.options = syscalls_options,
	.state_size = sizeof(struct syscalls),
	.begin = syscalls_begin,
	.sample = syscalls_sample,
	.event = syscalls_event,
	.finish = syscalls_finish,
};
