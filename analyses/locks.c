/* SPDX-License-Identifier: MIT */
/*
 * locks: how long threads waited for locks, which, where, and for whom.
 *
 * Kernel locks from lock:contention_begin and contention_end; a mutex that
 * spins first and sleeps then begins twice and is one wait.  Futexes, which
 * are what mutexes and condition variables of programs are made of, from the
 * futex system calls: an address of a process is one futex.  Waits that end
 * for another reason than a wake-up (time is up, value changed, signal) are
 * counted apart.  Who holds a lock is not in these events.
 */
#include <coldperf/plugin.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/waits/lock-events.h"
#include "analyses/common/call-paths.h"
#include "analyses/common/percentiles.h"
#include "analyses/common/record-hint.h"
#include "analyses/common/stack-tree.h"
#include "analyses/common/label.h"

/* Kinds of rows; others are flags of a kernel lock's type. */
#define FUTEX UINT32_MAX
/* No lock of the kernel has that address: a thread's futex call. */
#define CALL 1u

/* Waits for one lock at one stack of one thread. */
struct lock_waits {
	struct cp_quantiles took;
	uint64_t failed; /* ended without the lock */
};

struct open_wait {
	uint64_t time;
	uint64_t address;
	uint32_t row;
	uint32_t epoch;
	bool active, kept, wake;
};

struct locks {
	struct cp_run *run;
	struct cp_lock_decoder decoder;
	struct cp_index threads; /* (pid and tid, comm) */
	struct cp_index locks;   /* (address, type and process) */
	struct cp_index places;  /* (lock, stack) */
	struct cp_index rows;    /* (thread, place) */
	struct lock_waits *row;
	uint32_t row_cap;
	struct cp_index keys; /* of open: (tid, address or CALL) */
	struct open_wait *open;
	uint32_t open_cap;
	struct cp_index futexes; /* (pid, address) */
	cp_string_id *waker;     /* of a futex, since its last wait ended */
	uint32_t waker_cap;
	struct cp_tally *wakers; /* lock, waker's comm: time waited */
	uint32_t epoch;          /* counts losses of records */
	uint64_t unfinished, unknown;
};

static int
locks_begin(struct cp_run *run, void *state)
{
	struct locks *l = state;

	l->run = run;
	cp_lock_decoder_init(&l->decoder, run);
	cp_index_init(&l->threads, run);
	cp_index_init(&l->locks, run);
	cp_index_init(&l->places, run);
	cp_index_init(&l->rows, run);
	cp_index_init(&l->keys, run);
	cp_index_init(&l->futexes, run);
	l->wakers = cp_tally_new(run);
	return CP_OK;
}

/* A thread waits for one futex, but an interrupt may take a lock meanwhile. */
static struct open_wait *
open_of(struct locks *l, const struct cp_sample *s, uint64_t address)
{
	uint32_t i = cp_index_put(&l->keys, s->tid, address);

	cp_grow_to(l->run, l->open, &l->open_cap, i);
	return &l->open[i];
}

static uint32_t
row_of(
    struct locks *l, const struct cp_sample *s, uint64_t address, uint32_t type)
{
	uint64_t process = type == FUTEX ? s->pid : 0;
	uint32_t thread =
	    cp_index_put(&l->threads, (uint64_t)s->pid << 32 | s->tid, s->comm);
	uint32_t lock =
	    cp_index_put(&l->locks, address, (uint64_t)type << 32 | process);
	uint32_t place = cp_index_put(&l->places, lock, s->stack);
	uint32_t row = cp_index_put(&l->rows, thread, place);

	cp_grow_to(l->run, l->row, &l->row_cap, row);
	return row;
}

static void
wait_begin(struct locks *l, const struct cp_sample *s, uint64_t key,
    uint64_t address, uint32_t type)
{
	struct open_wait *o = open_of(l, s, key);

	/* A mutex that stops spinning goes on waiting. */
	if (o->active && type != FUTEX && o->epoch == l->epoch)
		return;
	l->unfinished += o->active && o->kept && !o->wake;
	*o = (struct open_wait){ .time = s->time,
		.address = address,
		.row = row_of(l, s, address, type),
		.epoch = l->epoch,
		.active = true,
		.kept = s->kept };
}

/* The wait that ends now, if its whole length is known; else NULL. */
static struct open_wait *
wait_end(struct locks *l, const struct cp_sample *s, uint64_t key)
{
	struct open_wait *o = open_of(l, s, key);

	if (!o->active || o->wake || s->time < o->time) {
		o->active = false;
		return NULL;
	}
	o->active = false;
	if (!s->kept)
		return NULL;
	if (o->epoch != l->epoch) {
		l->unknown++;
		return NULL;
	}
	cp_quantiles_add(
	    l->run, &l->row[o->row].took, s->time - o->time, o->time);
	return o;
}

/* ----------------------------------------------------------------- futexes */

static cp_string_id *
waker_of(struct locks *l, const struct cp_sample *s, uint64_t address)
{
	uint32_t i = cp_index_put(&l->futexes, s->pid, address);

	cp_grow_to(l->run, l->waker, &l->waker_cap, i);
	return &l->waker[i];
}

static void
futex_wake(struct locks *l, const struct cp_sample *s, uint64_t address)
{
	struct open_wait *o = open_of(l, s, CALL);

	*waker_of(l, s, address) = s->comm;
	*o = (struct open_wait){ .active = true, .wake = true };
}

static void
futex_end(struct locks *l, const struct cp_sample *s, int64_t result)
{
	const struct open_wait *o = wait_end(l, s, CALL);
	cp_string_id waker;

	if (o == NULL)
		return;
	if (result < 0) {
		l->row[o->row].failed++;
		return;
	}
	waker = *waker_of(l, s, o->address);
	cp_tally_add(l->wakers, l->places.all[l->rows.all[o->row].b].a, waker,
	    s->time - o->time);
}

static int
locks_sample(struct cp_run *run, void *state, const struct cp_sample *s)
{
	struct locks *l = state;
	struct cp_lock_event ev = cp_lock_decode(&l->decoder, s);

	if (s->time == CP_NO_TIME)
		return CP_OK;
	switch (ev.kind) {
	case CP_LOCK_NONE: break;
	case CP_LOCK_BEGIN:
		wait_begin(l, s, ev.address, ev.address, (uint32_t)ev.type);
		break;
	case CP_LOCK_END: (void)wait_end(l, s, ev.address); break;
	case CP_FUTEX_BEGIN: wait_begin(l, s, CALL, ev.address, FUTEX); break;
	case CP_FUTEX_WAKE: futex_wake(l, s, ev.address); break;
	case CP_FUTEX_END: futex_end(l, s, ev.result); break;
	}
	return CP_OK;
}

static int
locks_event(struct cp_run *run, void *state, const struct cp_sideband *e)
{
	struct locks *l = state;

	l->epoch += e->kind == CP_SIDE_LOST;
	return CP_OK;
}

/* ------------------------------------------------------------------ finish */

/* Rows of the table to be: what several rows of waits have in common. */
struct line {
	const char *text; /* function, command */
	uint64_t lock;    /* or thread; UINT64_MAX: of many */
	uint32_t type;
	struct lock_waits waits;
};

static int
compare_lines(const void *va, const void *vb)
{
	const struct line *a = va, *b = vb;
	uint64_t x = a->waits.took.sum, y = b->waits.took.sum;

	if (x != y)
		return x < y ? 1 : -1;
	if (strcmp(a->text, b->text) != 0)
		return strcmp(a->text, b->text);
	if (a->type != b->type)
		return a->type < b->type ? -1 : 1;
	return (a->lock > b->lock) - (a->lock < b->lock);
}

struct lines {
	struct cp_index x;
	struct line *all;
	uint32_t n;
};

static void
lines_init(struct locks *l, struct lines *lines)
{
	*lines = (struct lines){ 0 };
	cp_index_init(&lines->x, l->run);
	lines->all = cp_run_alloc(l->run, l->rows.n * sizeof(*lines->all));
}

static void
lines_add(struct locks *l, struct lines *lines, uint64_t a, uint64_t b,
    const struct line *like, uint32_t row)
{
	uint32_t i = cp_index_put(&lines->x, a, b);
	struct line *line = &lines->all[i];

	if (i == lines->n) {
		*line = *like;
		lines->n++;
	}
	cp_quantiles_merge(l->run, &line->waits.took, &l->row[row].took);
	line->waits.failed += l->row[row].failed;
}

static uint32_t
lock_of(const struct locks *l, uint32_t row)
{
	return (uint32_t)l->places.all[l->rows.all[row].b].a;
}

static uint32_t
type_of(const struct locks *l, uint32_t lock)
{
	return (uint32_t)(l->locks.all[lock].b >> 32);
}

/* Functions that implement locks, which say nothing of who uses them. */
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

/* The function that asked for the kernel lock. */
static const char *
caller_of(const struct locks *l, cp_stack_id stack)
{
	for (; stack != 0; stack = cp_stack_parent(l->run, stack)) {
		cp_frame_id id = cp_stack_frame(l->run, stack);
		const struct cp_symbol *sym = cp_frame_symbol(l->run, id);

		if (sym != NULL && !is_lock_code(sym->name))
			return sym->name;
	}
	return "[unknown]";
}

static uint32_t
shown(const struct locks *l, struct cp_table *t, struct lines *lines)
{
	uint64_t top = cp_run_option_u64(l->run, "top"), rest = 0;

	qsort(lines->all, lines->n, sizeof(*lines->all), compare_lines);
	if (top == 0 || top >= lines->n)
		return lines->n;
	for (uint32_t i = (uint32_t)top; i < lines->n; i++)
		rest += lines->all[i].waits.took.sum;
	cp_table_rest(t, lines->n - top, rest);
	return (uint32_t)top;
}

static void
waits_columns(struct cp_table *t)
{
	cp_table_column(t, "Waits", CP_COL_COUNT);
	cp_table_column(t, "Time", CP_COL_TIME);
	cp_quantiles_columns(t);
}

static void
waits_cells(struct cp_table *t, struct line *line)
{
	cp_table_row(t);
	cp_table_u64(t, line->waits.took.n);
	cp_table_u64(t, line->waits.took.sum);
	cp_quantiles_cells(t, &line->waits.took);
}

/* Kernel locks by the function that asked for them. */
static void
show_callers(struct locks *l, struct cp_report *rep)
{
	struct lines lines;
	struct cp_table *t;
	uint32_t n;

	lines_init(l, &lines);
	for (uint32_t i = 0; i < l->rows.n; i++) {
		uint32_t type = type_of(l, lock_of(l, i));
		struct line like = { .lock = UINT64_MAX, .type = type };

		if (type == FUTEX || l->row[i].took.n == 0)
			continue;
		like.text = caller_of(
		    l, (cp_stack_id)l->places.all[l->rows.all[i].b].b);
		lines_add(l, &lines, cp_run_intern(l->run, like.text), type,
		    &like, i);
	}
	if (lines.n == 0)
		return;
	t = cp_report_table(
	    rep, "lock-callers", "Kernel locks by who asked for them");
	waits_columns(t);
	cp_table_column(t, "Type", CP_COL_TEXT);
	cp_table_column(t, "Caller", CP_COL_TEXT);
	n = shown(l, t, &lines);
	for (uint32_t i = 0; i < n; i++) {
		waits_cells(t, &lines.all[i]);
		cp_table_text(t, cp_lock_type(lines.all[i].type));
		cp_table_text(t, lines.all[i].text);
	}
}

/* By lock; what tells one from another is its address. */
static bool
sum_locks(struct locks *l, struct lines *lines, bool futexes)
{
	lines_init(l, lines);
	for (uint32_t i = 0; i < l->rows.n; i++) {
		uint32_t lock = lock_of(l, i), type = type_of(l, lock);
		struct line like = { .text = "", .lock = lock, .type = type };

		if ((type == FUTEX) == futexes && l->row[i].took.n != 0)
			lines_add(l, lines, lock, 0, &like, i);
	}
	return lines->n != 0;
}

static void
show_locks(struct locks *l, struct cp_report *rep)
{
	struct lines lines;
	struct cp_table *t;
	uint32_t n;

	if (!sum_locks(l, &lines, false))
		return;
	t = cp_report_table(rep, "locks", "Kernel locks");
	waits_columns(t);
	cp_table_column(t, "Type", CP_COL_TEXT);
	cp_table_column(t, "Lock", CP_COL_ADDRESS);
	n = shown(l, t, &lines);
	for (uint32_t i = 0; i < n; i++) {
		waits_cells(t, &lines.all[i]);
		cp_table_text(t, cp_lock_type(lines.all[i].type));
		cp_table_u64(t, l->locks.all[lines.all[i].lock].a);
	}
}

/* Of each lock the command that ended most of the time, CP_NO_ID: none. */
static cp_string_id *
main_wakers(struct locks *l)
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

static void
show_futexes(struct locks *l, struct cp_report *rep)
{
	struct lines lines;
	struct cp_table *t;
	cp_string_id *waker;
	struct cp_word word;
	uint32_t n;

	if (!sum_locks(l, &lines, true))
		return;
	waker = main_wakers(l);
	t = cp_report_table(rep, "futexes", "Futexes");
	waits_columns(t);
	cp_table_column(t, "Failed", CP_COL_COUNT);
	cp_table_column(t, "PID", CP_COL_TEXT);
	cp_table_column(t, "Futex", CP_COL_ADDRESS);
	cp_table_column(t, "Waker", CP_COL_TEXT);
	n = shown(l, t, &lines);
	for (uint32_t i = 0; i < n; i++) {
		uint64_t lock = lines.all[i].lock;

		waits_cells(t, &lines.all[i]);
		cp_table_u64(t, lines.all[i].waits.failed);
		cp_table_text(
		    t, cp_word_id(&word, (uint32_t)l->locks.all[lock].b));
		cp_table_u64(t, l->locks.all[lock].a);
		cp_table_text(t, waker[lock] != 0
				     ? cp_run_string(l->run, waker[lock])
				     : "(not known)");
	}
}

static void
show_threads(struct locks *l, struct cp_report *rep)
{
	struct cp_table *t = cp_report_table(
	    rep, "lock-threads", "Threads by time they waited for locks");
	struct lines lines;
	struct cp_word word;
	uint32_t n;

	lines_init(l, &lines);
	for (uint32_t i = 0; i < l->rows.n; i++) {
		uint64_t thread = l->rows.all[i].a;
		bool futex = type_of(l, lock_of(l, i)) == FUTEX;
		struct line like = { .lock = thread,
			.type = futex,
			.text = cp_run_string(
			    l->run, (cp_string_id)l->threads.all[thread].b) };

		if (l->row[i].took.n != 0)
			lines_add(l, &lines, thread, futex, &like, i);
	}
	waits_columns(t);
	cp_table_column(t, "Kind", CP_COL_TEXT);
	cp_table_column(t, "Command", CP_COL_TEXT);
	cp_table_column(t, "PID", CP_COL_TEXT);
	cp_table_column(t, "TID", CP_COL_TEXT);
	n = shown(l, t, &lines);
	for (uint32_t i = 0; i < n; i++) {
		uint64_t ids = l->threads.all[lines.all[i].lock].a;

		waits_cells(t, &lines.all[i]);
		cp_table_text(t, lines.all[i].type ? "futex" : "kernel");
		cp_table_text(t, lines.all[i].text);
		cp_table_text(t, cp_word_id(&word, (uint32_t)(ids >> 32)));
		cp_table_text(t, cp_word_id(&word, (uint32_t)ids));
	}
}

static void
show_stacks(struct locks *l, struct cp_report *rep)
{
	struct cp_stacktree tree;

	cp_stacktree_init(&tree, l->run,
	    cp_report_tree(
		rep, "lock-stacks", "Stacks by time they waited for locks"));
	cp_tree_unit(tree.tree, "time", CP_COL_TIME, "waits");
	for (uint32_t i = 0; i < l->rows.n; i++) {
		const struct cp_pair *row = &l->rows.all[i];
		uint32_t type = type_of(l, lock_of(l, i)), node;

		if (l->row[i].took.n == 0)
			continue;
		node = cp_stacktree_label(&tree, 0,
		    cp_run_string(
			l->run, (cp_string_id)l->threads.all[row->a].b),
		    CP_KIND_NONE);
		node = cp_stacktree_stack(
		    &tree, node, (cp_stack_id)l->places.all[row->b].b, 0);
		node = cp_stacktree_label(&tree, node,
		    type == FUTEX ? "[futex]" : cp_lock_type(type),
		    CP_KIND_NONE);
		cp_stacktree_add(
		    &tree, node, l->row[i].took.sum, l->row[i].took.n);
	}
	cp_stacktree_finish(&tree);
}

static void
name_stacks(struct locks *l)
{
	cp_stack_id *stacks =
	    cp_run_alloc(l->run, l->places.n * sizeof(*stacks));

	for (uint32_t i = 0; i < l->places.n; i++)
		stacks[i] = (cp_stack_id)l->places.all[i].b;
	cp_run_name(l->run, stacks, l->places.n);
}

static void
notes(struct locks *l, struct cp_report *rep)
{
	uint64_t open = 0;
	struct cp_word n;

	for (uint32_t i = 0; i < l->keys.n; i++)
		open +=
		    l->open[i].active && l->open[i].kept && !l->open[i].wake;
	if (open != 0)
		cp_report_note(rep,
		    "going on at the end of the capture: %s; not counted",
		    cp_word_count(&n, open));
	if (l->unfinished != 0)
		cp_report_note(rep,
		    "begun, their end not recorded: %s; not counted",
		    cp_word_count(&n, l->unfinished));
	if (l->unknown != 0)
		cp_report_note(rep,
		    "of unknown length, because records were lost "
		    "meanwhile: %s; not counted",
		    cp_word_count(&n, l->unknown));
}

static const struct cp_recipe_pair pairs[] = {
	{ { "lock:contention_begin", "lock:contention_end" } },
	{ { "syscalls:sys_enter_futex", "syscalls:sys_exit_futex" } },
	{ { "syscalls:sys_enter_futex_wait", "syscalls:sys_exit_futex_wait" } },
	{ { "raw_syscalls:sys_enter", "raw_syscalls:sys_exit" } },
	{ { NULL, NULL } },
};

static int
locks_finish(struct cp_run *run, void *state, struct cp_report *rep)
{
	struct locks *l = state;

	if (!cp_probes_have(run, cp_lock_probes)) {
		cp_recipe_note(rep, "waits for locks",
		    "-e lock:contention_begin,lock:contention_end,"
		    "syscalls:sys_enter_futex,syscalls:sys_exit_futex -g");
		return CP_OK;
	}
	name_stacks(l);
	show_callers(l, rep);
	show_locks(l, rep);
	show_futexes(l, rep);
	show_threads(l, rep);
	show_stacks(l, rep);
	notes(l, rep);
	cp_recipe_unpaired(run, pairs, rep);
	cp_recipe_sampled(run, cp_lock_probes, rep);
	return CP_OK;
}

static const struct cp_option locks_options[] = {
	{ "top", "N", "20", "show N of each table, 0: all" },
	CP_OPTION_GUESS_SUFFIX,
	{ NULL, NULL, NULL, NULL },
};

CP_ANALYSIS_DEFINE(locks) = {
	.abi = CP_ABI,
	.name = "locks",
	.summary = "waits for locks of the kernel and of programs (futexes)",
	.wants = CP_WANT_SAMPLES | CP_WANT_STACKS | CP_WANT_NAMES |
		 CP_WANT_RAW | CP_WANT_ALL,
	.options = locks_options,
	.state_size = sizeof(struct locks),
	.begin = locks_begin,
	.sample = locks_sample,
	.event = locks_event,
	.finish = locks_finish,
};
