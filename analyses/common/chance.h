/* SPDX-License-Identifier: MIT */
/*
 * analyses/common/chance.h: tail probabilities of distributions, and Holm's
 * correction.  Numbers of samples need not be whole: they are effective
 * numbers.
 */
#ifndef CP_ANALYSES_COMMON_CHANCE_H
#define CP_ANALYSES_COMMON_CHANCE_H

#include <stddef.h>

/* With more degrees of freedom t counts as a normal distribution. */
#define CP_T_MANY 1e6

/* The regularized incomplete beta function I_x(a, b). */
double cp_beta(double x, double a, double b);
/*
 * Returns the standard score of x of n samples, each of which is one with
 * probability share; negative if fewer than expected.  Exact: uses the
 * binomial's tail.
 */
double cp_binomial_score(double x, double n, double share);
/*
 * Returns the probability that Student's t is at least so large, on either
 * side.
 */
double cp_t_tail(double t, double degrees);
/* Returns the t that has this two-sided probability. */
double cp_t_quantile(double p, double degrees);
/* Returns the standard score that is exceeded with this probability. */
double cp_normal_score(double p);

/*
 * Returns the mean square of this number of normal deviates that chance exceeds
 * as rarely as the score, relative to the expected one (Wilson and Hilferty
 * 1931).
 */
double cp_mean_square_at(double score, double degrees);

/* Scratch bytes that the next one needs for n questions. */
#define CP_HOLM_SCRATCH(n) (((n) + 1) * 24)
/*
 * Applies Holm's correction in place; NaNs are not counted.  weight: the part
 * of the risk that a question may take; NULL: all the same.
 */
void cp_holm(double *p, const double *weight, size_t n, void *scratch);

#endif
