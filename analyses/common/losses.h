/* SPDX-License-Identifier: MIT */
/*
 * analyses/common/losses.h: notes about what was lost, cut or not named.
 *
 * Mentions only faults.  Shares of names count samples by their innermost
 * frame, not weights: events have different units.
 */
#ifndef CP_ANALYSES_COMMON_LOSSES_H
#define CP_ANALYSES_COMMON_LOSSES_H

#include <coldperf/plugin.h>

#define CP_TRUSTS (CP_TRUST_RECORDED + 1)
#define CP_SOURCES (CP_SOURCE_PROFILE + 1)

struct cp_named {
	uint64_t samples;
	uint64_t trust[CP_TRUSTS];
	uint64_t source[CP_SOURCES];
	uint64_t *of_dso; /* samples in each object */
	uint64_t mangled; /* the name is one that no demangler knows */
	/* the object with most unnamed samples */
	uint32_t worst_dso;
	uint64_t worst;
};

typedef bool cp_row_filter(const struct cp_tally_row *, const void *arg);
/*
 * Counts the stacks (b) of a tally's rows, which must have been named: of all,
 * or of those that the filter passes.
 */
struct cp_named cp_named_count(struct cp_run *, const struct cp_tally_row *,
    size_t, cp_row_filter *, const void *arg);
/* Names the frames of cp_run_leaves(), and counts their samples. */
struct cp_named cp_named_leaves(struct cp_run *, const struct cp_tally *);
/* Returns the samples whose name was not verified by build ID. */
uint64_t cp_named_unverified(const struct cp_named *);

struct cp_unnamed_object {
	const struct cp_run *run;
	uint64_t samples; /* without a symbol */
	uint32_t dso;     /* 0: in no object */
};
/* Counts the same rows by object, most samples first; objects: with 0. */
const struct cp_unnamed_object *cp_unnamed_objects(
    struct cp_run *, const struct cp_tally_row *, size_t n, size_t objects);

/* Shows whether the files of names are those that ran, and how it is known. */
void cp_named_identity(
    struct cp_run *, const struct cp_named *, struct cp_report *);

/* Says how many names stay mangled, and what to install. */
void cp_mangled_note(const struct cp_named *, struct cp_report *);

/* Writes a note for everything in the account that is not as it should be. */
void cp_account_notes(
    struct cp_run *, const struct cp_named *, struct cp_report *);

#endif
