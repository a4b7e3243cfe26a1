/* SPDX-License-Identifier: MIT */
/*
 * coldperf/pairs.h: the time from one event to another: interrupts, requests,
 * system calls, anything that coldperf-pair(1) has a recipe for.
 *
 * An analysis that asks for pairs wants CP_WANT_RAW and CP_WANT_ALL, passes on
 * its samples and side-band records, and is told each pair; CP_WANT_NAMES if a
 * row may be of a function.  Its options "recipe", "begin", "end", "key" and
 * "by" choose the recipes, as those of coldperf pair do; one that its table
 * lacks counts as not given.  Without any it is all recipes with events here.
 * Begins that the filters leave out (--comm, --cpu, -e) begin no pair.  A pair
 * is passed on when no loss can change it any more.
 * A pair during which records can have been lost is left out.
 */
#ifndef COLDPERF_PAIRS_H
#define COLDPERF_PAIRS_H

#include <coldperf/model.h>

#ifdef __cplusplus
extern "C" {
#endif

struct cp_pairs;
struct cp_pair_told {
	uint64_t start, end;    /* ns */
	uint32_t row;           /* dense: the recipe, and what it is of */
	uint32_t pid, tid, cpu; /* of the begin */
	cp_string_id comm;
	cp_stack_id stack;
};
typedef void (*cp_pair_fn)(void *ctx, const struct cp_pair_told *);
/* Only for begin(); NULL after a diagnostic. */
CP_API struct cp_pairs *cp_pairs_new(struct cp_run *, cp_pair_fn, void *ctx);
/* CP_FAIL after a diagnostic. */
CP_API int cp_pairs_sample(
    struct cp_pairs *, const struct cp_sample *) CP_MUST_USE;
CP_API void cp_pairs_sideband(struct cp_pairs *, const struct cp_sideband *);
/* Tells the last pairs, which were held back; for finish(). */
CP_API void cp_pairs_finish(struct cp_pairs *);
/* Return the name of a row's recipe, and what it is of; for finish(). */
CP_API const char *cp_pairs_recipe(const struct cp_pairs *, uint32_t row);
CP_API const char *cp_pairs_of(struct cp_pairs *, uint32_t row);

#ifdef __cplusplus
}
#endif

#endif
