/* SPDX-License-Identifier: MIT */
/*
 * cli/command/check/stacks.h: user stacks of a capture, unwound again by
 * libdwfl while the capture is read.
 */
#ifndef CP_CLI_COMMAND_CHECK_STACKS_H
#define CP_CLI_COMMAND_CHECK_STACKS_H

#include "run/api.h"
#include "symbolize/opinion/stack-rules.h"

struct cp_check_stacks;

/* Compares stacks while the run reads.  max: most stacks to compare; 0: all. */
struct cp_check_stacks *cp_check_stacks_new(struct cp_run *, uint64_t max);
void cp_check_stacks_free(struct cp_check_stacks *);

/* Returns the number of stacks of the samples kept. */
uint64_t cp_check_stacks_seen(const struct cp_check_stacks *);

struct cp_check_stack {
	/* its texts are valid until the next call */
	struct cp_compared compared;
	/* Place of the last frame that is equal, or of the first frame. */
	const struct cp_dso_info *dso; /* or NULL */
	uint64_t addr;
};
/* Returns stack number `at' and its comparison.  False: there are no more. */
bool cp_check_stacks_get(
    struct cp_check_stacks *, size_t at, struct cp_check_stack *);

#endif
