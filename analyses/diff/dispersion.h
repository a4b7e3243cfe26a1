/* SPDX-License-Identifier: MIT */
/*
 * analyses/diff/dispersion.h: the cost of each function in each slice of a run,
 * and how much more the slices differ than if samples came one by one.
 */
#ifndef CP_ANALYSES_DIFF_DISPERSION_H
#define CP_ANALYSES_DIFF_DISPERSION_H

#include "analyses/diff/profile.h"

/* The slices of one clock, each as long as the others. */
struct cp_diff_clock {
	struct cp_tally *rows; /* event << 32 | slice, frame */
	struct cp_tally *spare;
	uint64_t first, width; /* ns */
};

struct cp_diff_slices {
	struct cp_run *run;
	struct cp_diff_clock wall;
	/* The program's own time: the CPU time that its samples stand for. */
	struct cp_diff_clock cpu;
	uint64_t samples;
};

void cp_diff_slices_init(struct cp_diff_slices *, struct cp_run *);
void cp_diff_slices_clear(struct cp_diff_slices *);
void cp_diff_slices_add(
    struct cp_diff_slices *, const struct cp_sample *, uint64_t weight);
/* Sets the dispersions of a profile from these slices. */
void cp_diff_slices_read(const struct cp_diff_slices *,
    struct cp_diff_profiles *, struct cp_diff_profile *, uint32_t event);

/*
 * Returns how much more n slices differ from their neighbours than if samples
 * of that mean weight came one by one: 1 or more.  Also tries slices joined to
 * longer ones, of which a run has `least`, and returns the largest value: a
 * burst is seen whole only in a slice that is longer.
 */
double cp_diff_dispersion(
    const double *part, uint32_t n, double mean_weight, uint32_t least);

/* Fewer slices show a slow change of the program, not bursts alone. */
#define CP_DIFF_MIN_SLICES 12u
/* Fewer slices show nothing. */
#define CP_DIFF_MIN_SLOW_SLICES 4u

#endif
