/* SPDX-License-Identifier: MIT */
/*
 * analyses/stacktree.h: a weighted tree made of stacks and plain labels.
 *
 * Nodes of one parent with one text are one, as in the flame graph of
 * samples.  The frames must have been named before.  A stack below the same
 * node is walked once.
 */
#ifndef CP_ANALYSES_STACKTREE_H
#define CP_ANALYSES_STACKTREE_H

#include "analyses/index.h"

struct cp_stacktree {
	struct cp_run *run;
	struct cp_tree *tree;
	struct cp_index nodes; /* (parent, text) */
	uint32_t *node; /* of the tree, by number in nodes */
	uint32_t node_cap;
	struct cp_index stacks; /* (node, stack and direction) */
	uint32_t *leaf; /* of the tree, by number in stacks */
	uint32_t leaf_cap;
	cp_string_id *text; /* by frame, 0: not known yet */
	uint32_t text_cap;
	cp_frame_id *path;
	uint32_t path_cap;
};

void cp_stacktree_init(
    struct cp_stacktree *, struct cp_run *, struct cp_tree *);
/* The child of that text. */
uint32_t cp_stacktree_label(
    struct cp_stacktree *, uint32_t parent, const char *text, enum cp_kind);
enum {
	CP_STACK_UPWARDS = 1, /* from the innermost frame outwards */
	/* Only what an interrupt handler put on it: the rest is of whoever
	 * was running. */
	CP_STACK_HANDLER = 2,
};
/* The frames from the outermost inwards below parent; the last node. */
uint32_t cp_stacktree_stack(
    struct cp_stacktree *, uint32_t parent, cp_stack_id, unsigned how);

#endif
