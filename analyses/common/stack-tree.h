/* SPDX-License-Identifier: MIT */
/*
 * analyses/common/stack-tree.h: a weighted tree made of stacks and plain
 * labels.
 *
 * Children of a node with the same text are one node, and inlined functions are
 * frames of their own, as in the flame graph of samples.  The frames must have
 * been named before.  A stack is walked once for each place that it hangs
 * below.  A place is a path in the tree that also tells guessed frames from
 * those found by a table: two places may share a node.
 */
#ifndef CP_ANALYSES_COMMON_STACK_TREE_H
#define CP_ANALYSES_COMMON_STACK_TREE_H

#include "analyses/common/frame-label.h"

struct cp_stackplace {
	uint32_t node;   /* of the tree */
	uint64_t weight; /* weight added at this place */
};

struct cp_stacktree {
	struct cp_run *run;
	struct cp_tree *tree;
	struct cp_frametexts texts;
	struct cp_index places;      /* (parent, text and how it was guessed) */
	struct cp_stackplace *place; /* by number in places */
	uint32_t place_cap;
	struct cp_index nodes; /* (parent, text) */
	uint32_t *node;        /* of the tree, by number in nodes */
	uint32_t node_cap;
	struct cp_index stacks; /* (place, stack and direction) */
	/* last place of the stack, by number in stacks */
	uint32_t *leaf;
	uint32_t leaf_cap;
	cp_frame_id *path;
	uint32_t path_cap;
};

void cp_stacktree_init(
    struct cp_stacktree *, struct cp_run *, struct cp_tree *);
/* Returns the place of that text below parent; 0 is the root's place. */
uint32_t cp_stacktree_label(
    struct cp_stacktree *, uint32_t parent, const char *text, enum cp_kind);
enum {
	CP_STACK_UPWARDS = 1, /* from the innermost frame outwards */
	/*
	 * Only the frames of an interrupt handler: the others are the
	 * interrupted code's.
	 */
	CP_STACK_HANDLER = 2,
};
/*
 * Adds the frames from the outermost inwards below parent; returns the last
 * place.
 */
uint32_t cp_stacktree_stack(
    struct cp_stacktree *, uint32_t parent, cp_stack_id, unsigned how);
/* Returns the node of a place. */
uint32_t cp_stacktree_node(const struct cp_stacktree *, uint32_t place);
void cp_stacktree_add(
    struct cp_stacktree *, uint32_t place, uint64_t weight, uint64_t samples);
/*
 * Call it when all is added: tells the tree which part of its nodes was
 * guessed.
 */
void cp_stacktree_finish(struct cp_stacktree *);

#endif
