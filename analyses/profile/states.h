/* SPDX-License-Identifier: MIT */
/*
 * analyses/profile/states.h: spans of what each thread did, if the capture has
 * switches: those of coldperf/spans.h with stack, class of wait and waker.
 */
#ifndef CP_ANALYSES_PROFILE_STATES_H
#define CP_ANALYSES_PROFILE_STATES_H

#include <coldperf/spans.h>

#include "analyses/common/slab.h"
#include "analyses/profile/code.h"
#include "analyses/profile/threads.h"

struct cp_states {
	struct cp_run *run;
	const struct cp_spans *tasks;
	struct cp_slab spans; /* struct cp_state_span */
	uint32_t n, max;
	uint64_t left_out; /* spans beyond max */
};

struct cp_state_span {
	uint64_t from, to;
	uint32_t task, waker; /* indexes of tasks; waker CP_NO_ID */
	uint32_t cpu;
	cp_stack_id stack;
	cp_string_id comm; /* 0: see the task */
	uint8_t kind;      /* enum cp_span_kind */
	char letter;       /* of its state; 'N': it has not run yet */
};

void cp_states_init(struct cp_states *, struct cp_run *, uint32_t max);
/* Returns what begin() must also want; 0: the capture has no switches. */
uint32_t cp_states_wants(const struct cp_run *);
/* Ends the spans; marks their stacks as used. */
void cp_states_end(struct cp_states *, bool *used);
/* Adds threads that only spans have, then the spans; stacks were named. */
void cp_states_show(struct cp_states *, struct cp_threads *,
    struct cp_code_rows *, struct cp_profile *);

#endif
