/* SPDX-License-Identifier: MIT */
/*
 * analyses/diff/tree.h: the call paths of all captures that are compared, as
 * one tree.
 */
#ifndef CP_ANALYSES_DIFF_TREE_H
#define CP_ANALYSES_DIFF_TREE_H

#include "analyses/diff/profile.h"
#include "analyses/diff/statistics.h"

struct cp_diff_tree {
	const struct cp_diff_profiles *profiles;
	struct cp_index nodes; /* (parent, symbol); number 0 is the root */
	uint32_t n;
	uint32_t **at; /* by run and node of its profile: the node here */
	struct cp_diff_cell *self, *total; /* by node * runs + run */
	struct cp_diff_result *result;     /* of total, by node; 0 is all */
};

/* functions: the cells of symbols, by symbol and run. */
void cp_diff_tree_build(struct cp_diff_tree *, struct cp_run *,
    const struct cp_diff_profiles *, const struct cp_diff_cell *functions);
/* Tests all nodes of at least that share on a side; not the root. */
void cp_diff_tree_test(struct cp_diff_tree *, struct cp_run *,
    const struct cp_diff_runs *, double min_share);
/* Two flame graphs: widths of after, and of before. */
void cp_diff_tree_flames(const struct cp_diff_tree *, struct cp_run *,
    const struct cp_diff_runs *, struct cp_report *);
/* The last frames of a path, outermost first. */
const char *cp_diff_tree_path(
    const struct cp_diff_tree *, struct cp_run *, uint32_t node);
/* The paths whose change is significant and not that of a path below. */
void cp_diff_tree_table(const struct cp_diff_tree *, struct cp_run *,
    struct cp_report *, double alpha, uint64_t top);

#endif
