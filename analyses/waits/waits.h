/* SPDX-License-Identifier: MIT */
/*
 * analyses/waits/waits.h: time that tasks spent, by state, by the stack at
 * which they waited, and by the task that woke them.
 *
 * A row is a task at a place; a place is a stack with the state that the task
 * was left in.  Wakers form a chain of links: the waker, the task that woke the
 * waker, and so on.  All ids are dense numbers, which keeps the tables small.
 *
 * This room finds why threads were off the CPU, for offcpu, timeline and the
 * overview: watch.c fills waits.c, wait-class.c classifies waits, tables.c and
 * trees.c show them.  It may use coldperf/plugin.h, analyses/tasks and
 * analyses/common.  Begin in watch.h.
 */
#ifndef CP_ANALYSES_WAITS_WAITS_H
#define CP_ANALYSES_WAITS_WAITS_H

#include <coldperf/spans.h>

#define CP_WAITS_LONGEST 10u /* blocked waits that are kept each */
#define CP_WAIT_HOPS 16u     /* links of a chain that are kept, at most */

/* Waits of one kind: those whose length is known have it in took. */
struct cp_wait_sum {
	uint64_t ns;   /* of all */
	uint64_t open; /* that began before, or went on after, the capture */
	struct cp_quantiles took;
};

struct cp_wait_place {
	cp_stack_id stack;
	uint8_t kind; /* enum cp_span_kind */
	char letter;  /* state; '?': not known */
};

struct cp_wait_link {
	uint32_t waker; /* task; CP_NO_ID: not known */
	cp_stack_id stack;
	bool interrupt;  /* in a handler, while that task was running */
	uint32_t before; /* link: who woke the waker; CP_NO_ID */
};

struct cp_wait_wake {
	uint32_t row, link; /* link CP_NO_ID: no wake-up was seen */
	uint64_t n, ns;
};

struct cp_wait {
	uint32_t task;
	struct cp_wait_place place;
	uint64_t start, ns;
	bool open;
	uint32_t link; /* CP_NO_ID */
};

/* The longest blocked waits, CP_WAITS_LONGEST at most, in no order. */
struct cp_wait_list {
	struct cp_wait *wait; /* NULL: none yet */
	uint32_t n;
};

struct cp_wait_task {
	cp_string_id comm;
	uint32_t pid, tid;
	bool kept; /* the filters let it through */
	uint64_t ns[CP_SPAN_KINDS];
	uint64_t waits;   /* spans of all kinds that are off the CPU */
	uint64_t longest; /* of these, open ones too */
	/* Of these, by what they are cut off: see CP_SPAN_OPEN_*. */
	uint64_t open_start, open_end, cut;
	uint64_t bare; /* of context-switch records, which have no stack */
	/* Filters choose tasks by names that may change, so each has a list. */
	struct cp_wait_list list;
};

struct cp_waits {
	struct cp_run *run;
	struct cp_wait_task *task;
	uint32_t n_tasks, task_cap;
	struct cp_index places; /* (stack, kind and letter) */
	struct cp_index rows;   /* (task, place) */
	struct cp_wait_sum *row;
	uint32_t row_cap;
	struct cp_index links; /* (waker and interrupt, stack and before) */
	struct cp_index wakes; /* (row, link) */
	struct cp_wait_wake *wake;
	uint32_t wake_cap;
	struct cp_wait_list longest; /* of the tasks that are kept */
};

void cp_waits_init(struct cp_waits *, struct cp_run *);
/*
 * Returns the task of that number, which the caller chooses; makes room for it.
 */
struct cp_wait_task *cp_waits_task(struct cp_waits *, uint32_t);
struct cp_wait_place cp_waits_place(const struct cp_waits *, uint32_t);

/* Returns the row that has the wait. */
uint32_t cp_waits_add(struct cp_waits *, const struct cp_wait *);
/* Stores the wait if it is among the longest blocked ones. */
void cp_waits_keep(struct cp_waits *, const struct cp_wait *);
/* Compares waits for qsort(): the longest comes first, then the earliest. */
int cp_waits_compare(const void *, const void *);
/* Makes the list of the longest of the tasks that are kept. */
void cp_waits_finish(struct cp_waits *);

/*
 * Returns the link of a waker; `before` is the link of the waker's own last
 * wake-up.
 */
uint32_t cp_waits_link(struct cp_waits *, const struct cp_wait_link *);
struct cp_wait_link cp_waits_link_at(const struct cp_waits *, uint32_t);
/* Returns a chain of the first n links of a chain. */
uint32_t cp_waits_cut(struct cp_waits *, uint32_t link, unsigned n);

/* Names all stacks, of waits and of wakers. */
void cp_waits_name(struct cp_waits *);

#endif
