/* SPDX-License-Identifier: MIT */
/*
 * analyses/causes/mix.h: whether the program began to do something else at some
 * time: one of its functions has a larger part of its samples from then on.
 *
 * Samples are counted by stack in a fixed number of slices, which double their
 * width when the span outgrows them, for the stacks that came first; the others
 * are one.
 */
#ifndef CP_ANALYSES_CAUSES_MIX_H
#define CP_ANALYSES_CAUSES_MIX_H

#include "analyses/causes/places.h"
#include "analyses/causes/programs.h"

enum { CP_MIX_SLICES = 32, CP_MIX_STACKS = 32768 };

struct cp_mix {
	struct cp_run *run;
	struct cp_index keys; /* (event and pid, stack) */
	uint32_t (*at)[CP_MIX_SLICES];
	uint32_t cap;
	uint64_t base, width; /* ns; width 0: nothing yet */
};

/* A function whose part grew. */
struct cp_mix_change {
	cp_string_id own;
	uint64_t since;       /* time */
	double before, after; /* parts of the program's samples */
	double more;          /* samples above the part that it had before */
};

void cp_mix_init(struct cp_mix *, struct cp_run *);
void cp_mix_sample(struct cp_mix *, const struct cp_sample *);
/* Of the program that perf ran.  The stacks must have been named. */
bool cp_mix_change(const struct cp_mix *, const struct cp_programs *,
    uint32_t event, struct cp_mix_change *);

#endif
