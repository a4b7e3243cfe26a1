/* SPDX-License-Identifier: MIT */
/*
 * analyses/diff/family.h: questions that are asked together, and how a verdict
 * is made of their probabilities.  Functions are one family, with everything
 * together; call paths are another.  Both have the same rules.
 */
#ifndef CP_ANALYSES_DIFF_FAMILY_H
#define CP_ANALYSES_DIFF_FAMILY_H

#include "analyses/diff/diff.h"

/* Probabilities by question; NaN: it is not asked. */
struct cp_diff_family {
	double *p, *sampling, *weight;
	size_t n;
};

/* A function or a call path. */
struct cp_diff_subject {
	const struct cp_diff_result *result;
	const struct cp_diff_cell *cells; /* by run */
	bool compiled;                    /* at run time */
};

struct cp_diff_subject cp_diff_function(const struct cp_diff *, uint32_t);

struct cp_diff_family cp_diff_family_new(struct cp_run *, size_t n);
/* Applies Holm's correction. */
void cp_diff_family_correct(struct cp_run *, struct cp_diff_family *);
/* Asks a question of the family about a row. */
void cp_diff_family_ask(
    struct cp_diff_family *, size_t i, const struct cp_diff_result *);

/*
 * rules.c: true if a change of everything may be the machine's: one run each,
 * and no shares.  A row is then found only if it changed by more than others.
 */
bool cp_diff_needs_witnesses(const struct cp_diff *);
/* rules.c: returns the verdict of a probability, and of that of sampling. */
enum cp_diff_verdict cp_diff_verdict_of(
    const struct cp_diff *, double p, double sampling);
/*
 * rules.c: returns the verdict of a row whose result has corrected
 * probabilities; own: those that it did not change beyond the others.
 */
enum cp_diff_verdict cp_diff_verdict_of_row(const struct cp_diff *,
    const struct cp_diff_subject *, const struct cp_diff_family *own, size_t i);

/* alike.c: true if chance explains how far a row is from what all changed by.
 */
bool cp_diff_as_whole(
    const struct cp_diff *, const struct cp_diff_subject *, size_t questions);
/*
 * alike.c: returns what sampling makes the logarithm of a row's ratio vary by.
 */
double cp_diff_chance(const struct cp_diff *, const struct cp_diff_subject *);

struct cp_diff_witnesses;
/* beyond.c: returns the functions, which witness what all others did. */
struct cp_diff_witnesses *cp_diff_witnesses(const struct cp_diff *);
/*
 * beyond.c: the witnesses are all functions but that one, or what functions
 * cost outside of that path, until the next of these calls.
 */
void cp_diff_witnesses_but(struct cp_diff_witnesses *, uint32_t symbol);
void cp_diff_witnesses_outside(struct cp_diff_witnesses *, uint32_t node);
/*
 * beyond.c: raises the probabilities of a question to how probable it is that
 * the row differs so from the witnesses if it was moved as they were, with what
 * runs of the same differ by, and of sampling.  Leaves them if the row did not
 * change as everything did.
 */
void cp_diff_beyond(const struct cp_diff_witnesses *,
    const struct cp_diff_subject *, struct cp_diff_family *, size_t i);

#endif
