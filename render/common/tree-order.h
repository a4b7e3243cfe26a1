/* SPDX-License-Identifier: MIT */
/*
 * render/common/tree-order.h: a report's tree turned around: from parents to
 * children.
 *
 * Trees come as nodes that know their parent.  This lists the children of
 * each node in a decided order, so that walks need no recursion.
 */
#ifndef CP_RENDER_COMMON_TREE_ORDER_H
#define CP_RENDER_COMMON_TREE_ORDER_H

#include "report/report.h"

enum cp_kids_order {
	CP_KIDS_BY_NAME,   /* then object */
	CP_KIDS_BY_WEIGHT, /* heaviest first, then by name */
};

struct cp_kids {
	uint32_t *node;  /* all that count but the root, by parent */
	uint32_t *first; /* of node[i]'s group; first[n + 1] ends it */
};

/* Nodes lighter than min are left out, and so are those below them. */
void cp_kids_init(
    struct cp_kids *, const struct cp_tree *, enum cp_kids_order, double min);
void cp_kids_free(struct cp_kids *);

/* Nodes on the way of a depth-first walk, with what the walker notes. */
struct cp_tree_step {
	uint32_t node;
	uint32_t depth;
	uint64_t at; /* free for the walker */
};
struct cp_tree_walk {
	CP_VEC(struct cp_tree_step) stack;
};

/* Puts node's children on the stack so that the first is taken first. */
void cp_tree_walk_down(struct cp_tree_walk *, const struct cp_kids *,
    uint32_t node, uint32_t depth);
bool cp_tree_walk_next(struct cp_tree_walk *, struct cp_tree_step *);

#endif
