/* SPDX-License-Identifier: MIT */
/*
 * analyses/common/stack-tree.h: a weighted tree made of stacks and plain
 * labels.
 *
 * Nodes of one parent with one text are one, as in the flame graph of
 * samples.  The frames must have been named before.  A stack below the same
 * place is walked once.
 *
 * A place is a way down the tree: that of a frame that was guessed is another
 * than that of the same frame found by a table, and both are at one node.
 */
#ifndef CP_ANALYSES_COMMON_STACK_TREE_H
#define CP_ANALYSES_COMMON_STACK_TREE_H

#include "analyses/common/frame-label.h"
#include "analyses/common/dense-ids.h"

struct cp_stackplace {
	uint32_t node;   /* of the tree */
	uint64_t weight; /* added here */
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
	uint32_t *leaf;         /* place, by number in stacks */
	uint32_t leaf_cap;
	cp_frame_id *path;
	uint32_t path_cap;
};

void cp_stacktree_init(
    struct cp_stacktree *, struct cp_run *, struct cp_tree *);
/* The place of that text below parent, 0: the root's. */
uint32_t cp_stacktree_label(
    struct cp_stacktree *, uint32_t parent, const char *text, enum cp_kind);
enum {
	CP_STACK_UPWARDS = 1, /* from the innermost frame outwards */
	/* Only what an interrupt handler put on it: the rest is of whoever
	 * was running. */
	CP_STACK_HANDLER = 2,
};
/* The frames from the outermost inwards below parent; the last place. */
uint32_t cp_stacktree_stack(
    struct cp_stacktree *, uint32_t parent, cp_stack_id, unsigned how);
/* The node of a place. */
uint32_t cp_stacktree_node(const struct cp_stacktree *, uint32_t place);
void cp_stacktree_add(
    struct cp_stacktree *, uint32_t place, uint64_t weight, uint64_t samples);
/* When all is added: tells the tree what was guessed of its nodes. */
void cp_stacktree_finish(struct cp_stacktree *);

#endif
