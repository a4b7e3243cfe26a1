/* SPDX-License-Identifier: MIT */
/*
 * analyses/diff/slices.h: what each function costs in each slice of a run, and
 * how much more the slices differ than samples that come one by one would.
 */
#ifndef CP_ANALYSES_DIFF_SLICES_H
#define CP_ANALYSES_DIFF_SLICES_H

#include "analyses/diff/profile.h"

struct cp_diff_slices {
	struct cp_run *run;
	struct cp_tally *rows; /* event << 32 | slice, frame */
	struct cp_tally *spare;
	uint64_t first, width; /* ns */
	uint64_t untimed;      /* samples without a time: they are counted */
};

void cp_diff_slices_init(struct cp_diff_slices *, struct cp_run *);
void cp_diff_slices_clear(struct cp_diff_slices *);
void cp_diff_slices_add(
    struct cp_diff_slices *, const struct cp_sample *, uint64_t weight);
/* Sets the dispersions of the profile that was read from them. */
void cp_diff_slices_read(const struct cp_diff_slices *,
    struct cp_diff_profiles *, struct cp_diff_profile *, uint32_t event);

/*
 * How much more n slices differ from their neighbours than samples of that
 * mean weight would that come one by one: 1 or more.  Slices are joined to
 * longer ones, too, and the length counts that shows most: a burst is seen
 * whole only in slices that are longer.
 */
double cp_diff_dispersion(const double *part, uint32_t n, double mean_weight);

#endif
