/* SPDX-License-Identifier: MIT */
/*
 * analyses/diff/tails.h: tail probabilities of the distributions that diff
 * needs. Numbers of samples need not be whole: they are effective numbers.
 */
#ifndef CP_ANALYSES_DIFF_TAILS_H
#define CP_ANALYSES_DIFF_TAILS_H

/* With more degrees of freedom t counts as a normal distribution. */
#define CP_DIFF_MANY 1e6

/* The regularized incomplete beta function I_x(a, b). */
double cp_diff_beta(double x, double a, double b);
/*
 * Returns the standard score of x of n samples, each of which is one with
 * probability share; negative if fewer than expected.  Exact: uses the
 * binomial's tail.
 */
double cp_diff_binomial_score(double x, double n, double share);
/*
 * Returns the probability that Student's t is at least so large, on either
 * side.
 */
double cp_diff_t_tail(double t, double degrees);
/* Returns the t that has this two-sided probability. */
double cp_diff_t_quantile(double p, double degrees);
/* Returns the standard score that is exceeded with this probability. */
double cp_diff_normal_score(double p);

#endif
