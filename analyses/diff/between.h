/* SPDX-License-Identifier: MIT */
/*
 * analyses/diff/between.h: how much runs of the same program differ beyond
 * sampling.
 *
 * Several runs on a side show how far all functions vary together (the effect
 * of a run), and how far each varies by itself, moderated by what all show
 * (Smyth 2004).  One run on each side shows only whether most functions moved
 * apart from one another.
 */
#ifndef CP_ANALYSES_DIFF_BETWEEN_H
#define CP_ANALYSES_DIFF_BETWEEN_H

#include "analyses/diff/cells.h"

/* What slices of several runs show of samples that come one by one. */
#define CP_DIFF_USUAL_DISPERSION 1.65
/* Fewer rows do not show how far most of them moved. */
#define CP_DIFF_MIN_ROWS 6
/* Chance is below this standard score once in twenty. */
#define CP_DIFF_LEAST (-1.645)

/* The heavy rows, given by their first cell. */
struct cp_diff_heavy {
	const struct cp_diff_cell **row;
	double *value; /* scratch: one value for each row */
	size_t n;
};

/*
 * spread.c: estimates what each function differs by between one run each: the
 * most that the rows allow, and what there must be if chance does not explain
 * how far they went apart.
 */
void cp_diff_from_spread(
    struct cp_diff_runs *, struct cp_run *, struct cp_diff_heavy *);

/* Estimates how runs differ, from the rows that have enough samples. */
void cp_diff_between(struct cp_diff_runs *, struct cp_run *,
    const struct cp_diff_cell *cells, size_t n_rows);

/*
 * Returns the relative variance of a row between the runs of a side, from its
 * cells.
 */
struct cp_diff_variance cp_diff_observed(
    const struct cp_diff_runs *, const struct cp_diff_cell *);
/*
 * Returns the variance that sampling alone causes if samples come one by one.
 */
double cp_diff_sampling(
    const struct cp_diff_runs *, const struct cp_diff_cell *);

/*
 * Does so if they come in bursts, of which that part shows between runs.
 */
double cp_diff_by_bursts(
    const struct cp_diff_runs *, const struct cp_diff_cell *, double part);

#endif
