/* SPDX-License-Identifier: MIT */
/*
 * render/common/tree-order.h: the children of each node in a report's tree.
 *
 * A node of a tree refers to its parent only.  This lists the children of each
 * node, in a fixed order, so that walks need no recursion.
 */
#ifndef CP_RENDER_COMMON_TREE_ORDER_H
#define CP_RENDER_COMMON_TREE_ORDER_H

#include "report/report.h"

enum cp_kids_order {
	CP_KIDS_BY_NAME,   /* then object */
	CP_KIDS_BY_WEIGHT, /* heaviest first, then by name */
	CP_KIDS_AS_ADDED,
};

struct cp_kids {
	uint32_t *node; /* all nodes kept but the root, sorted by parent */
	/* start of node i's children; first[n + 1] is the end */
	uint32_t *first;
};

/* Leaves out nodes lighter than min and everything below them. */
void cp_kids_init(
    struct cp_kids *, const struct cp_tree *, enum cp_kids_order, double min);
void cp_kids_free(struct cp_kids *);

/* A node on the stack of a depth-first walk, with a value for the walker. */
struct cp_tree_step {
	uint32_t node;
	uint32_t depth;
	uint64_t at; /* free for the walker */
};
struct cp_tree_walk {
	CP_VEC(struct cp_tree_step) stack;
};

/* Pushes node's children in reverse, so that the first is popped first. */
void cp_tree_walk_down(struct cp_tree_walk *, const struct cp_kids *,
    uint32_t node, uint32_t depth);
bool cp_tree_walk_next(struct cp_tree_walk *, struct cp_tree_step *);

#endif
