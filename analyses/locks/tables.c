/* SPDX-License-Identifier: MIT */
/* The tables of locks. */
#include "analyses/locks/locks.h"

#include <string.h>

#include "analyses/common/call-paths.h"
#include "analyses/common/label.h"
#include "analyses/common/stack-tree.h"

static uint32_t
lock_of(const struct cp_locks *l, uint32_t row)
{
	return (uint32_t)l->places.all[l->rows.by.all[row].b].a;
}

/* Is it a function that implements locks, and not their user? */
static bool
is_lock_code(const char *name)
{
	static const char *const parts[] = { "mutex_lock", "mutex_trylock",
		"_spin_", "spin_lock", "read_lock", "write_lock", "rwsem_",
		"down_read", "down_write", "__down", "queued_", "rt_mutex",
		"rtmutex", "percpu_down", "percpu_rwsem", "schedule",
		"contention", "__traceiter", "_raw_", "perf_trace", "rwbase_",
		"pv_", "__bpf_", "trace_" };

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (strstr(name, parts[i]) != NULL)
			return true;
	return strcmp(name, "down") == 0 || strncmp(name, "down_", 5) == 0;
}

/* Returns the function that took the kernel lock. */
static const char *
caller_of(const struct cp_locks *l, cp_stack_id stack)
{
	for (; stack != 0; stack = cp_stack_parent(l->run, stack)) {
		cp_frame_id id = cp_stack_frame(l->run, stack);
		const struct cp_symbol *sym = cp_frame_symbol(l->run, id);

		if (sym != NULL && !is_lock_code(sym->name))
			return sym->name;
	}
	return "[unknown]";
}

/* Adds a table that is sorted by the time waited. */
static struct cp_table *
waits_table(const struct cp_locks *l, struct cp_report *rep, const char *slug,
    const char *title, const struct cp_column_spec *columns, size_t n)
{
	struct cp_table *t = cp_report_table(rep, slug, title, columns, n);

	cp_table_sort(t, "Time");
	cp_table_top(t, cp_run_option_u64(l->run, "top"), "Time");
	return t;
}

#define WAITS_COLUMNS CP_COUNT("Waits"), CP_TIME("Time"), CP_QUANTILES_COLUMNS

static void
waits_cells(struct cp_table *t, struct cp_pair_row *r)
{
	cp_table_add(t, r->took.n, r->took.sum, CP_QUANTILES_CELLS(&r->took));
}

/* Shows kernel locks by the function that took them. */
static void
show_callers(struct cp_locks *l, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { WAITS_COLUMNS,
		CP_TEXT("Type"), CP_TEXT("Caller") };
	struct cp_pair_rows lines;
	struct cp_table *t;

	cp_pair_rows_init(&lines, l->run);
	for (uint32_t i = 0; i < l->rows.by.n; i++) {
		uint32_t type = cp_locks_type(l, i), place;

		if (cp_locks_is_futex(type) || l->rows.all[i].took.n == 0)
			continue;
		place = (uint32_t)l->rows.by.all[i].b;
		cp_pair_rows_add(&lines,
		    cp_run_intern(l->run,
			caller_of(l, (cp_stack_id)l->places.all[place].b)),
		    type, &l->rows.all[i]);
	}
	if (lines.by.n == 0)
		return;
	t = waits_table(l, rep, "lock-callers",
	    "Kernel locks by who asked for them", CP_COLUMNS(columns));
	for (uint32_t i = 0; i < lines.by.n; i++) {
		waits_cells(t, &lines.all[i]);
		cp_table_cells(t, cp_lock_type(lines.by.all[i].b),
		    cp_run_string(l->run, (cp_string_id)lines.by.all[i].a));
	}
}

/* Adds up waits by lock (and type), which is identified by its address. */
static bool
sum_locks(struct cp_locks *l, struct cp_pair_rows *lines, bool futexes)
{
	cp_pair_rows_init(lines, l->run);
	for (uint32_t i = 0; i < l->rows.by.n; i++) {
		uint32_t type = cp_locks_type(l, i);

		if (cp_locks_is_futex(type) == futexes &&
		    l->rows.all[i].took.n != 0)
			cp_pair_rows_add(
			    lines, lock_of(l, i), type, &l->rows.all[i]);
	}
	return lines->by.n != 0;
}

static void
show_locks(struct cp_locks *l, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { WAITS_COLUMNS,
		CP_TEXT("Type"), CP_ADDRESS("Lock") };
	struct cp_pair_rows lines;
	struct cp_table *t;

	if (!sum_locks(l, &lines, false))
		return;
	t = waits_table(l, rep, "locks", "Kernel locks", CP_COLUMNS(columns));
	for (uint32_t i = 0; i < lines.by.n; i++) {
		waits_cells(t, &lines.all[i]);
		cp_table_cells(t, cp_lock_type(lines.by.all[i].b),
		    l->locks.all[lines.by.all[i].a].a);
	}
}

/*
 * Finds, for each lock, the command whose wake-ups ended most of the time
 * waited; CP_NO_ID: none.
 */
static cp_string_id *
main_wakers(struct cp_locks *l)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(l->wakers, &rows);
	cp_string_id *waker = cp_run_alloc(l->run, l->locks.n * sizeof(*waker));
	uint64_t *most = cp_run_alloc(l->run, l->locks.n * sizeof(*most));

	for (size_t i = 0; i < n; i++)
		if (rows[i].b != 0 && rows[i].weight > most[rows[i].a]) {
			most[rows[i].a] = rows[i].weight;
			waker[rows[i].a] = (cp_string_id)rows[i].b;
		}
	return waker;
}

static const char *
kind_word(uint32_t type)
{
	return type == CP_LOCKS_FUTEX    ? "lock"
	       : type == CP_LOCKS_PARKED ? "other wait"
					 : "kernel";
}

static void
show_futexes(struct cp_locks *l, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { WAITS_COLUMNS,
		CP_COUNT("Failed"), CP_TEXT("Kind"), CP_TEXT("PID"),
		CP_ADDRESS("Futex"), CP_TEXT("Waker") };
	struct cp_pair_rows lines;
	struct cp_table *t;
	cp_string_id *waker;

	if (!sum_locks(l, &lines, true))
		return;
	waker = main_wakers(l);
	t = waits_table(l, rep, "futexes", "Futexes", CP_COLUMNS(columns));
	for (uint32_t i = 0; i < lines.by.n; i++) {
		uint64_t lock = lines.by.all[i].a;

		waits_cells(t, &lines.all[i]);
		cp_table_cells(t, lines.all[i].errors,
		    kind_word((uint32_t)lines.by.all[i].b),
		    cp_cell_id((uint32_t)l->locks.all[lock].b),
		    l->locks.all[lock].a,
		    waker[lock] != 0 ? cp_run_string(l->run, waker[lock])
				     : "(not known)");
	}
}

static void
show_threads(struct cp_locks *l, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { WAITS_COLUMNS,
		CP_TEXT("Kind"), CP_TEXT("Command"), CP_TEXT("PID"),
		CP_TEXT("TID") };
	struct cp_table *t = waits_table(l, rep, "lock-threads",
	    "Threads by time they waited", CP_COLUMNS(columns));
	struct cp_pair_rows lines;

	cp_pair_rows_init(&lines, l->run);
	for (uint32_t i = 0; i < l->rows.by.n; i++) {
		uint32_t type = cp_locks_type(l, i);

		if (l->rows.all[i].took.n != 0)
			cp_pair_rows_add(&lines, l->rows.by.all[i].a,
			    cp_locks_is_futex(type) ? type : 0,
			    &l->rows.all[i]);
	}
	for (uint32_t i = 0; i < lines.by.n; i++) {
		const struct cp_pair *thread =
		    &l->threads.all[lines.by.all[i].a];

		waits_cells(t, &lines.all[i]);
		cp_table_cells(t, kind_word((uint32_t)lines.by.all[i].b),
		    cp_run_string(l->run, (cp_string_id)thread->b),
		    cp_cell_id((uint32_t)(thread->a >> 32)),
		    cp_cell_id((uint32_t)thread->a));
	}
}

static void
show_stacks(struct cp_locks *l, struct cp_report *rep)
{
	struct cp_stacktree tree;

	cp_stacktree_init(&tree, l->run,
	    cp_report_tree(rep, "lock-stacks", "Stacks by time they waited"));
	cp_tree_unit(tree.tree, "time", CP_COL_TIME, "waits");
	for (uint32_t i = 0; i < l->rows.by.n; i++) {
		const struct cp_pair *row = &l->rows.by.all[i];
		uint32_t type = cp_locks_type(l, i), node;

		if (l->rows.all[i].took.n == 0)
			continue;
		node = cp_stacktree_label(&tree, 0,
		    cp_run_string(
			l->run, (cp_string_id)l->threads.all[row->a].b),
		    CP_KIND_NONE);
		node = cp_stacktree_stack(
		    &tree, node, (cp_stack_id)l->places.all[row->b].b, 0);
		node = cp_stacktree_label(&tree, node,
		    type == CP_LOCKS_FUTEX    ? "[futex]"
		    : type == CP_LOCKS_PARKED ? "[futex: no lock]"
					      : cp_lock_type(type),
		    CP_KIND_NONE);
		cp_stacktree_add(&tree, node, l->rows.all[i].took.sum,
		    l->rows.all[i].took.n);
	}
	cp_stacktree_finish(&tree);
}

static void
name_stacks(struct cp_locks *l)
{
	cp_stack_id *stacks =
	    cp_run_alloc(l->run, l->places.n * sizeof(*stacks));

	for (uint32_t i = 0; i < l->places.n; i++)
		stacks[i] = (cp_stack_id)l->places.all[i].b;
	cp_run_name(l->run, stacks, l->places.n);
}

void
cp_locks_tables(struct cp_locks *l, struct cp_report *rep)
{
	name_stacks(l);
	show_callers(l, rep);
	show_locks(l, rep);
	show_futexes(l, rep);
	show_threads(l, rep);
	show_stacks(l, rep);
}
