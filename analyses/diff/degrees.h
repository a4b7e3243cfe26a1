/* SPDX-License-Identifier: MIT */
/* analyses/diff/degrees.h: how well the variances of several rows are known. */
#ifndef CP_ANALYSES_DIFF_DEGREES_H
#define CP_ANALYSES_DIFF_DEGREES_H

#include <coldperf/plugin.h>

/* The fewest degrees that the common variance of all rows counts for. */
#define CP_DIFF_MIN_PRIOR 3.0
/* More degrees make no difference. */
#define CP_DIFF_MOST_DEGREES 1000.0

/*
 * Returns the degrees that a common prior is worth: the logarithms of
 * variances, each of so many degrees, vary so (Smyth 2004).
 */
double cp_diff_degrees_of_logs(double variance, double degrees);
/*
 * Returns the degrees of freedom of the sum of the rows' variances.  Rows that
 * move together are worth less than their number: the trace of the square of
 * their covariance tells, which is estimated without bias (Srivastava 2005).
 * products: of the rows' deviations in each pair of runs, summed over the rows;
 * the lower triangle.
 */
double cp_diff_degrees_of_sum(
    const double *products, uint32_t runs, double sum);

#endif
