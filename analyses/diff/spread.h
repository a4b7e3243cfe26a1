/* SPDX-License-Identifier: MIT */
/*
 * analyses/diff/spread.h: how much two runs differ beyond sampling, if each
 * side has one: shown by how far most functions moved apart from one another.
 */
#ifndef CP_ANALYSES_DIFF_SPREAD_H
#define CP_ANALYSES_DIFF_SPREAD_H

#include "analyses/diff/cells.h"

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
 * Returns the mean square of this number of normal deviates that chance exceeds
 * as rarely as the score, relative to the expected one (Wilson and Hilferty
 * 1931).
 */
double cp_diff_mean_at(double score, double degrees);
/*
 * Estimates what each function differs by: the most that the rows allow, and
 * what there must be if chance does not explain how far they went apart.
 */
void cp_diff_from_spread(
    struct cp_diff_runs *, struct cp_run *, struct cp_diff_heavy *);

#endif
