/* SPDX-License-Identifier: MIT */
/*
 * analyses/diff/tails.h: how improbable a value is, by the distributions that
 * diff needs.  Numbers of samples need not be whole: they are effective ones.
 */
#ifndef CP_ANALYSES_DIFF_TAILS_H
#define CP_ANALYSES_DIFF_TAILS_H

/* More degrees of freedom than this are a normal distribution. */
#define CP_DIFF_MANY 1e6

/* The regularized incomplete beta function I_x(a, b). */
double cp_diff_beta(double x, double a, double b);
/*
 * The standard score of x of n samples, where each is one with probability
 * share: negative if fewer than expected.  Exact: by the binomial's tail.
 */
double cp_diff_binomial_score(double x, double n, double share);
/* The probability of a Student's t of that size or more, on either side. */
double cp_diff_t_tail(double t, double degrees);
/* The t that has this two-sided probability. */
double cp_diff_t_quantile(double p, double degrees);
/* The standard score with this probability above it. */
double cp_diff_normal_score(double p);

#endif
