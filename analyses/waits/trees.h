/* SPDX-License-Identifier: MIT */
/*
 * analyses/waits/trees.h: flame graphs of cp_waits, weighted by time.
 *
 * offcpu: the stacks of waiting tasks, with the class of the wait on top.
 * wakers: the stacks of the tasks that woke them.  offwake: the waiting stack
 * with the waker's stack on it, innermost frame first, so that the call that
 * waited and the call that woke are adjacent; then the stack of the waker's own
 * waker, and so on.
 */
#ifndef CP_ANALYSES_WAITS_TREES_H
#define CP_ANALYSES_WAITS_TREES_H

#include "analyses/common/stack-tree.h"
#include "analyses/waits/wait-class.h"
#include "analyses/waits/waits.h"

struct cp_waittree {
	struct cp_waits *waits;
	struct cp_waitclasses *classes;
	bool blocked, runnable; /* what the tree is of */
	bool threads;           /* a level of PID/TID */
	/* Else the threads of a pool are one: by number in pooled. */
	struct cp_index pooled; /* (command, process) */
	const cp_string_id *pool;
};

/* Finds the pools, unless threads have a level each. */
void cp_waittree_pools(struct cp_waittree *);

void cp_waittree_offcpu(const struct cp_waittree *, struct cp_report *);
void cp_waittree_wakers(const struct cp_waittree *, struct cp_report *);
void cp_waittree_offwake(const struct cp_waittree *, struct cp_report *);

/* For trees of other files (wall.c).  Makes one whose title tells its states.
 */
struct cp_tree *cp_waittree_new(const struct cp_waittree *, struct cp_report *,
    const char *slug, const char *title);
/* Is the row of the waits in the tree? */
bool cp_waittree_wants(const struct cp_waittree *, uint32_t row);
/* Adds the task's levels below parent; returns the last place. */
uint32_t cp_waittree_task(const struct cp_waittree *, struct cp_stacktree *,
    uint32_t parent, const struct cp_wait_task *);
/* Adds the task, its stack, and what it was waiting for. */
uint32_t cp_waittree_wait(const struct cp_waittree *, struct cp_stacktree *,
    uint32_t parent, uint32_t row);

#endif
