/* SPDX-License-Identifier: MIT */
/*
 * analyses/profile/code.h: stacks, frames, symbols and objects of a profile.
 *
 * Only what samples use is added, in the order of its first use, a parent
 * before its children.
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
/* Returns the row of a stack whose frames were named, adding it if needed. */
uint32_t cp_code_stack(struct cp_code_rows *, cp_stack_id);
/* Returns the row of an object by its id, adding it if needed; 0: none. */
uint32_t cp_code_object(struct cp_code_rows *, uint32_t id);

#endif
