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

struct cp_diff_result {
	double before, after;  /* cost, means of the runs */
	double change, lo, hi; /* after / before - 1, 95 % */
	double p;              /* not a number: too few samples to tell */
	double p_sampling;     /* as if runs of the same never differed */
	/* Standard deviations of log(after / before): of sampling one by one;
	 * with bursts, and what runs differ by. */
	double sampling, error;
	double degrees; /* of freedom of the error */
	uint64_t samples_before, samples_after;
};

/* cells are a row's, by run. */
struct cp_diff_result cp_diff_test(
    const struct cp_diff_runs *, const struct cp_diff_cell *cells);
/* The same of everything together. */
struct cp_diff_result cp_diff_test_whole(
    const struct cp_diff_runs *, const struct cp_diff_cell *cells);

/* Bytes that the next two need to sort n rows. */
#define CP_DIFF_SCRATCH(n) (((n) + 1) * 24)

/*
 * The factor between two runs of which most is the same: of the logarithms of
 * the rows' ratios, weighted by how well they are known, the mean of those that
 * only chance may have put away from the median; the median, if that is less
 * than half of them.  out_var: the variance of its logarithm.  1 if there is
 * nothing to go by.
 */
double cp_diff_scale(const struct cp_diff_cell *from,
    const struct cp_diff_cell *to, size_t n, size_t stride, double noise,
    double *out_var, void *scratch);

/*
 * Holm's correction, in place; what is no number is not counted.  weight: what
 * part of the risk a question may take, by how large it is, so that a program
 * of a thousand functions hides nothing of its largest one.
 */
void cp_diff_holm(double *p, const double *weight, size_t n, void *scratch);

#endif
