/* SPDX-License-Identifier: MIT */
/*
 * analyses/common/stack-ends.h: where user stacks ended, by reason and object,
 * and how to get further.
 */
#ifndef CP_ANALYSES_COMMON_STACK_ENDS_H
#define CP_ANALYSES_COMMON_STACK_ENDS_H

#include <coldperf/plugin.h>

struct cp_unwind_ends {
	struct cp_tally *tally; /* reason, object */
	uint32_t largest; /* bytes of the largest copy that was too short */
	/* Sums for cp_unwind_ends_show(). */
	uint64_t all, complete;
};

void cp_unwind_ends_init(struct cp_unwind_ends *, struct cp_run *);
/* Counts a stack; false: the sample has no copy of a user stack. */
bool cp_unwind_ends_add(
    struct cp_unwind_ends *, struct cp_run *, const struct cp_sample *);
void cp_unwind_ends_count(struct cp_unwind_ends *);
/* Shows the ends; names must have been looked up. */
void cp_unwind_ends_show(
    struct cp_unwind_ends *, struct cp_run *, struct cp_report *);
/*
 * Are there stacks of which no sample says how they ended?  A snapshot of
 * tables alone may have the sums of all its samples, and no more.
 */
bool cp_unwind_ends_untold(
    const struct cp_unwind_ends *, const struct cp_quality *);
/* Shows these sums instead of the ends. */
void cp_unwind_sums_show(const struct cp_quality *, struct cp_report *);
/* Says how to get an unwind table for that object's code. */
const char *cp_unwind_help(struct cp_run *, uint32_t dso);

#endif
