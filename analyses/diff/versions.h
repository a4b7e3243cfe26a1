/* SPDX-License-Identifier: MIT */
/*
 * analyses/diff/versions.h: which of several versions brought a change.
 *
 * Each version is compared with the one before it by the rules of two sides.
 * As many comparisons share the risk of a false one.  What changes a little in
 * each is found only by comparing the last version with the first, which is
 * the comparison of the whole report if --versions is given.
 */
#ifndef CP_ANALYSES_DIFF_VERSIONS_H
#define CP_ANALYSES_DIFF_VERSIONS_H

#include "analyses/diff/statistics.h"

struct cp_diff;

struct cp_diff_version {
	const char *name;
	uint32_t first, runs; /* of the profiles */
	double elapsed, cpu;  /* seconds of a run; 0: not known */
	/* Everything against the version before it. */
	const char *found;
	struct cp_diff_result whole;
	const char *most; /* the function that changed most; "": none */
};

/* A function that a version changed. */
struct cp_diff_step {
	struct cp_diff_result result;
	double all_before, all_after; /* cost of all functions */
	const char *object, *symbol, *found;
	uint32_t number, version; /* the symbol; the version that brought it */
};

struct cp_diff_versions {
	bool asked; /* --versions: the sides are the first and the last */
	struct cp_diff_version *all;
	uint32_t n; /* 0: there are two sides, and no versions */
	const struct cp_diff_profile *profiles; /* of all versions */
	struct cp_diff_step *step;              /* largest first */
	uint32_t n_steps, cap;
};

/*
 * Tells captures apart by --versions, or takes each as one if only the first is
 * before; CP_FAIL after a diagnostic.
 */
int cp_diff_versions_parse(struct cp_diff *);
/* Compares each with the one before it; CP_FAIL after a diagnostic. */
int cp_diff_versions_compare(struct cp_diff *);
void cp_diff_versions_show(const struct cp_diff *, struct cp_report *);

#endif
