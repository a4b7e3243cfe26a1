/* SPDX-License-Identifier: MIT */
/*
 * analyses/diff/family.h: tests that share one correction, and the rules of
 * verdicts.  Everything together and the functions are one family; call paths
 * are another.  Both have the same rules.
 */
#ifndef CP_ANALYSES_DIFF_FAMILY_H
#define CP_ANALYSES_DIFF_FAMILY_H

#include "analyses/diff/diff.h"

/* The probabilities and weights of tests, by row; NaN: not tested. */
struct cp_diff_family {
	double *p, *sampling, *weight;
	size_t n;
};

/* A function or a call path. */
struct cp_diff_subject {
	const struct cp_diff_result *result;
	const struct cp_diff_cell *cells; /* by run */
	bool compiled;                    /* its code was made at run time */
};

struct cp_diff_subject cp_diff_function(const struct cp_diff *, uint32_t);

struct cp_diff_family cp_diff_family_new(struct cp_run *, size_t n);
/* Applies Holm's correction. */
void cp_diff_family_correct(struct cp_run *, struct cp_diff_family *);
/* Adds the test of a row. */
void cp_diff_family_ask(
    struct cp_diff_family *, size_t i, const struct cp_diff_result *);

/*
 * true if a change of everything may be the machine's: one run each,
 * and no shares.  A row is then found only if it changed by more than others.
 */
bool cp_diff_needs_witnesses(const struct cp_diff *);
/*
 * returns the verdict by the probability of a change, and by the
 * probability with sampling alone.
 */
enum cp_diff_verdict cp_diff_verdict_of(
    const struct cp_diff *, double p, double sampling);
/*
 * returns the verdict of a row, whose result has corrected
 * probabilities; own: the corrected probabilities of cp_diff_beyond().
 */
enum cp_diff_verdict cp_diff_verdict_of_row(const struct cp_diff *,
    const struct cp_diff_subject *, const struct cp_diff_family *own, size_t i);

/* homogeneity.c: true if chance explains how a row differs from the common
 * factor. */
bool cp_diff_as_whole(
    const struct cp_diff *, const struct cp_diff_subject *, size_t questions);
/* homogeneity.c: returns the variance by sampling of the logarithm of a ratio.
 */
double cp_diff_chance(const struct cp_diff *, const struct cp_diff_subject *);

struct cp_diff_witnesses;
/* witnesses.c: makes witnesses of all functions. */
struct cp_diff_witnesses *cp_diff_witnesses(const struct cp_diff *);
/*
 * witnesses.c: takes as witnesses all functions except that one, or the costs
 * of functions outside of that path, until the next of these calls.
 */
void cp_diff_witnesses_but(struct cp_diff_witnesses *, uint32_t symbol);
void cp_diff_witnesses_outside(struct cp_diff_witnesses *, uint32_t node);
/*
 * witnesses.c: tests whether the row changed by more than the witnesses, and
 * raises the probabilities of its test to those of this one.  Leaves them if
 * the row did not change in the direction of everything.
 */
void cp_diff_beyond(const struct cp_diff_witnesses *,
    const struct cp_diff_subject *, struct cp_diff_family *, size_t i);

#endif
