/* SPDX-License-Identifier: MIT */
/*
 * analyses/waits/wall.h: one tree of the time on the CPU and the time off it.
 *
 * A node's value is the share of its time on the CPU: red on it, blue off it.
 */
#ifndef CP_ANALYSES_WAITS_WALL_H
#define CP_ANALYSES_WAITS_WALL_H

#include "analyses/waits/oncpu.h"
#include "analyses/waits/trees.h"

struct cp_walltree {
	struct cp_waittree waits;
	struct cp_oncpu *oncpu;
	const struct cp_waitwatch *watch; /* NULL: no switches */
	bool apart; /* "on CPU" and "off CPU" are the first level */
	/* Also unknown time, and that in which nothing was recorded, by task.
	 */
	bool all;
	const uint64_t *unrecorded;
};

/* Time on the CPU and in all: of a place, then of all below it, too; ns. */
struct cp_walltime {
	double on, all;
};
struct cp_walltimes {
	struct cp_walltime *of; /* by place */
	uint32_t cap;
};
/* Adds time to a place of a tree. */
void cp_walltimes_add(struct cp_walltimes *, struct cp_stacktree *,
    uint32_t place, uint64_t on, uint64_t off, uint64_t n);
/* Colours all nodes, once all is added. */
void cp_walltimes_shade(struct cp_walltimes *, const struct cp_stacktree *);

void cp_walltree(const struct cp_walltree *, struct cp_report *);

#endif
