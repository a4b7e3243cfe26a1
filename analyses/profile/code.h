/* SPDX-License-Identifier: MIT */
/*
 * analyses/profile/code.h: stacks, frames, symbols and objects of a profile.
 *
 * Only what samples and states use is added, a caller before what it calls.
 */
#ifndef CP_ANALYSES_PROFILE_CODE_H
#define CP_ANALYSES_PROFILE_CODE_H

#include <coldperf/profile.h>

struct cp_code_rows {
	struct cp_run *run;
	struct cp_profile *profile;
	/* Numbers of rows by the run's ids; 0: not added. */
	uint32_t *object, *symbol, *frame, *stack;
	uint32_t symbol_cap, frame_cap;
	cp_stack_id *path; /* scratch */
	uint32_t path_cap;
	uint32_t objects, symbols, frames, stacks; /* added */
};

void cp_code_init(struct cp_code_rows *, struct cp_run *, struct cp_profile *);
/*
 * Adds the stacks that are marked as used, and their callers, which it marks,
 * too.  n: how many marks there are, by id.  It goes by id: a caller's is
 * lower, and memory is read from one end to the other.  Frames were named
 * before.
 */
void cp_code_stacks(struct cp_code_rows *, bool *used, uint32_t n);
/* Returns the row of a stack, adding it if needed. */
uint32_t cp_code_stack(struct cp_code_rows *, cp_stack_id);
/* Returns the row of an object by its id, adding it if needed; 0: none. */
uint32_t cp_code_object(struct cp_code_rows *, uint32_t id);

#endif
