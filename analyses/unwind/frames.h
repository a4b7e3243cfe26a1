/* SPDX-License-Identifier: MIT */
/*
 * analyses/unwind/frames.h: how the frames of unwound stacks were found, and in
 * which object.
 *
 * A frame is found by unwinding its callee, so it is counted for the callee's
 * object, which had an unwind table or had none.
 *
 * This room has what only `unwind` counts; where stacks ended is in
 * analyses/common/stack-ends.h.  It may use coldperf/plugin.h and
 * analyses/common.  Begin in analyses/unwind.c.
 */
#ifndef CP_ANALYSES_UNWIND_FRAMES_H
#define CP_ANALYSES_UNWIND_FRAMES_H

#include <coldperf/plugin.h>

struct cp_unwind_object_frames {
	uint32_t dso;
	uint64_t found[CP_GUESSES]; /* CP_GUESS_NONE: by a table */
};

struct cp_unwind_frames {
	struct cp_run *run;
	uint64_t all;               /* including frames of the kernel */
	uint64_t found[CP_GUESSES]; /* by guess, for the whole capture */
	uint64_t first;             /* where the registers of a sample point */
	uint64_t recorded;          /* in the call chain of the sample */
	uint64_t stacks_guessed, stacks_scanned; /* have such frames */
	struct cp_unwind_object_frames *objects; /* by dso id */
	uint32_t n;
};

/* Counts the frames of stacks, whose rows are (0, stack). */
void cp_unwind_frames_count(
    struct cp_unwind_frames *, struct cp_run *, const struct cp_tally *stacks);
void cp_unwind_frames_show(const struct cp_unwind_frames *, struct cp_report *);
/* Shows the objects, those with the most guesses first. */
void cp_unwind_frames_objects(struct cp_unwind_frames *, struct cp_report *);

#endif
