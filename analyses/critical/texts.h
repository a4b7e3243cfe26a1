/* SPDX-License-Identifier: MIT */
/* analyses/critical/texts.h: what the tables and the tree of paths share. */
#ifndef CP_ANALYSES_CRITICAL_TEXTS_H
#define CP_ANALYSES_CRITICAL_TEXTS_H

#include "analyses/critical/critical.h"

/* A step's state, what ended it, and both as a label of the tree. */
struct cp_step_words {
	const char *state, *by, *label;
};
extern const struct cp_step_words cp_step_words[CP_STEP_STATES];

struct cp_critical_row {
	uint32_t thread;
	enum cp_step_state state;
	cp_string_id wait, by, where;
	uint64_t ns, n, longest;
};

struct cp_critical_show {
	struct cp_critical *o;
	struct cp_report *rep;
	bool several;
	cp_string_id *name;     /* by thread */
	struct cp_index stacks; /* those that have a place */
	cp_string_id *place;    /* by number in stacks */
	uint32_t place_cap;
	cp_string_id *waiter;  /* by hop */
	struct cp_index kinds; /* (wait and by, state) */
	struct cp_index keys;  /* (thread and kind, where) */
	struct cp_critical_row *row;
	uint32_t n_rows, row_cap;
	uint64_t elapsed;
	uint64_t of[CP_STEP_STATES], steps[CP_STEP_STATES];
};

/* Where a stack is: "fsync < save < main"; 0: nowhere. */
cp_string_id cp_critical_place(struct cp_critical_show *, cp_stack_id);
/* The class of a wait; "start": of a thread that had yet to begin. */
cp_string_id cp_critical_class(
    struct cp_critical_show *, cp_stack_id, char letter);
/* The class of a blocked step; 0: it is none. */
cp_string_id cp_critical_wait(
    struct cp_critical_show *, const struct cp_step *);
/* What ended a step, or who had the CPU. */
const char *cp_critical_by(
    const struct cp_critical_show *, const struct cp_step *);

#endif
