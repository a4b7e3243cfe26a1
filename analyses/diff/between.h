/* SPDX-License-Identifier: MIT */
/*
 * analyses/diff/between.h: what runs of the same program differ by, beyond
 * sampling.
 *
 * Several runs on a side show it: how far all functions go together (the
 * effect of a run), and how far each goes by itself, moderated by what all
 * show (Smyth 2004).  One run on each side shows only whether most functions
 * went apart from one another.
 */
#ifndef CP_ANALYSES_DIFF_BETWEEN_H
#define CP_ANALYSES_DIFF_BETWEEN_H

#include "analyses/diff/cells.h"

/* Sets what runs differ by, from the rows that have enough samples. */
void cp_diff_between(struct cp_diff_runs *, struct cp_run *,
    const struct cp_diff_cell *cells, size_t n_rows);

/* Of a row's cells: the relative variance between the runs of a side. */
struct cp_diff_variance cp_diff_observed(
    const struct cp_diff_runs *, const struct cp_diff_cell *);
/* What sampling alone makes of it, if samples come one by one. */
double cp_diff_sampling(
    const struct cp_diff_runs *, const struct cp_diff_cell *);

#endif
