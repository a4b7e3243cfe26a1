/* SPDX-License-Identifier: MIT */
/*
 * analyses/diff/statistics.h: whether something weighs more after than before,
 * and how sure that is.
 *
 * What is compared is the logarithm of the ratio after / before.  Its variance
 * has three parts:
 * - of sampling: 1 / n for n effective samples, times how much more than that
 *   slices of one run differ from their neighbours (dispersion);
 * - between runs: two runs of one program differ by more than sampling
 *   explains.  With several runs on a side this is measured, moderated by what
 *   all rows have in common; with one run each it cannot be and a noise is
 *   assumed;
 * - of the scale that makes runs comparable.
 */
#ifndef CP_ANALYSES_DIFF_STATISTICS_H
#define CP_ANALYSES_DIFF_STATISTICS_H

#include <coldperf/plugin.h>

/* One row in one run. */
struct cp_diff_cell {
	double weight, weight_sq;
	double dispersion; /* >= 1; 0: not known, taken for 1 */
	uint64_t samples;
};

struct cp_diff_runs {
	uint32_t before, after; /* runs: the first so many, and the others */
	const double *total;    /* weight of all rows, by run */
	const double *norm;     /* what makes runs comparable, by run */
	double norm_var;        /* of its logarithm, after against before */
	double noise;  /* relative, of a run; for when it is not measured */
	double common; /* variance between runs, beyond sampling, of all */
	double unit;   /* weight of a typical sample */
};

struct cp_diff_result {
	double before, after;  /* normalized, means of the runs */
	double change, lo, hi; /* after / before - 1, 95 % */
	double p;              /* not a number: too few samples to tell */
	uint64_t samples_before, samples_after;
};

/* cells are a row's, by run. */
struct cp_diff_result cp_diff_test(
    const struct cp_diff_runs *, const struct cp_diff_cell *cells);

/*
 * Sets what rows share of the variance between runs, and with it that of the
 * scale, from the rows that have enough samples; 3 runs at least.
 */
void cp_diff_common(struct cp_diff_runs *, const struct cp_diff_cell *cells,
    size_t n_rows, bool scaled);

/*
 * How much more a row's share varies from slice to slice than by sampling:
 * 1 or more.  Successive slices are compared and the median counts, so that a
 * program with phases is not taken for a noisy one.
 */
double cp_diff_dispersion(
    const double *part, const double *all, uint32_t n, double mean_weight);

/* Bytes that the next two need to sort n rows. */
#define CP_DIFF_SCRATCH(n) (((n) + 1) * 16)

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

/* Holm's correction, in place; what is no number is not counted. */
void cp_diff_holm(double *p, size_t n, void *scratch);

#endif
