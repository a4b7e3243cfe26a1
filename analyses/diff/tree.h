/* SPDX-License-Identifier: MIT */
/* analyses/diff/tree.h: one tree of the call paths of all captures compared. */
#ifndef CP_ANALYSES_DIFF_TREE_H
#define CP_ANALYSES_DIFF_TREE_H

#include "analyses/diff/profile.h"
#include "analyses/diff/statistics.h"

struct cp_diff_tree {
	const struct cp_diff_profiles *profiles;
	struct cp_index nodes; /* (parent, symbol); number 0 is the root */
	uint32_t n;
	/* every side has marks of callers that were not recorded */
	bool marks;
	uint32_t **at; /* by run, then by node of its profile: the node here */
	struct cp_diff_cell *self, *total; /* by node * runs + run */
	struct cp_diff_result *result;     /* of total, by node; 0 is all */
	/*
	 * The nodes from order[place[i]] on, size[i] of them, are i and all
	 * below it.
	 */
	uint32_t *order, *place, *size;
};

/* Builds the tree; functions: cells by symbol and run. */
void cp_diff_tree_build(struct cp_diff_tree *, struct cp_run *,
    const struct cp_diff_profiles *, const struct cp_diff_cell *functions);
/* Tests all nodes. */
void cp_diff_tree_test(
    struct cp_diff_tree *, struct cp_run *, const struct cp_diff_runs *);
/* Makes two flame graphs: widths of after, and of before. */
void cp_diff_tree_flames(const struct cp_diff_tree *, struct cp_run *,
    const struct cp_diff_runs *, struct cp_report *);
/* Returns the last frames of a path, outermost first. */
const char *cp_diff_tree_path(
    const struct cp_diff_tree *, struct cp_run *, uint32_t node);

#endif
