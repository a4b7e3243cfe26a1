/* SPDX-License-Identifier: MIT */
/*
 * analyses/diff/statistics.h: whether something costs more after than before,
 * and how sure that is.  docs/statistics.md has the methods and their sources.
 *
 * A cost is compared by the samples that it effectively is: as many as would
 * vary so much if each came by itself.  What makes it vary is
 * - sampling: each sample comes by chance, and they may come in bursts, which
 *   the slices of a run show (dispersion);
 * - the runs: two runs of one program differ.  Several runs on a side show by
 *   how much; with one each it is assumed.
 * Of two numbers of effective samples the binomial distribution says exactly
 * how improbable they are, down to none at all.
 */
#ifndef CP_ANALYSES_DIFF_STATISTICS_H
#define CP_ANALYSES_DIFF_STATISTICS_H

#include "analyses/diff/cells.h"

/*
 * Returns the nearest whole number that a table can show.  A sum of weights
 * from a hostile capture has no upper limit.
 */
uint64_t cp_diff_whole(double);

struct cp_diff_result {
	double before, after;  /* cost, means of the runs */
	double change, lo, hi; /* after / before - 1, 95 % */
	double p;              /* NaN: too few samples */
	double p_sampling;     /* p if runs of the same never differed */
	/*
	 * Standard deviations of log(after / before).  sampling: if samples
	 * come one by one; error: with bursts, and with what runs differ by.
	 */
	double sampling, error;
	double degrees; /* degrees of freedom of the error */
	uint64_t samples_before, samples_after;
};

/* Compares a row; cells are its numbers by run. */
struct cp_diff_result cp_diff_test(
    const struct cp_diff_runs *, const struct cp_diff_cell *cells);
/* Compares everything together. */
struct cp_diff_result cp_diff_test_whole(
    const struct cp_diff_runs *, const struct cp_diff_cell *cells);

/* Returns the largest share that a row has of a run. */
double cp_diff_share_of(
    const struct cp_diff_runs *, const struct cp_diff_cell *);
/* What a function of that share is taken to differ by between runs. */
double cp_diff_noise_of(const struct cp_diff_runs *, double share);

/*
 * Returns the factor between two runs most of whose rows are the same.  It is
 * the weighted mean of the logarithms of the rows' ratios, over the rows that
 * are no farther from the median than chance explains; the median if those are
 * less than half.  out_var: variance of its logarithm.  Returns 1 if there are
 * no rows to use.
 */
double cp_diff_scale(const struct cp_diff_cell *from,
    const struct cp_diff_cell *to, size_t n, size_t stride, double noise,
    double *out_var, void *scratch);

#endif
