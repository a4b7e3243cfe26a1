/* SPDX-License-Identifier: MIT */
/*
 * analyses/precision/dispersion.h: how much more or less than independent
 * samples a share varies, measured on the samples' own order.
 *
 * For "this run": the sampler ticks at regular times on each CPU, so long
 * phases are measured better than by chance, and CPUs that tick together
 * count as one observation.  For "the program": another run has its phases at
 * other times, so a phase counts once, however many samples it has.
 * docs/intervals.md has the formulas and their sources.
 */
#ifndef CP_ANALYSES_PRECISION_DISPERSION_H
#define CP_ANALYSES_PRECISION_DISPERSION_H

#include <coldperf/plugin.h>

/* The order of n samples. */
struct cp_series {
	void *(*alloc)(void *ctx, size_t); /* zeroed; nothing is freed */
	void *ctx;
	uint32_t n;
	uint32_t *before; /* of the same lane; CP_NO_ID: none */
	/* begins a moment: those after it tick at the same time */
	bool *begins;
	bool *rounds;    /* begins a round, in which no lane ticks twice */
	uint32_t *block; /* for counting */
	double stay;     /* correlation of neighbours, over all rows */
	uint32_t pairs;  /* samples with one before them */
	bool regular;    /* the ticks of a lane are regular */
};

/* A sample's place in the order. */
struct cp_tick {
	uint64_t time; /* CP_NO_TIME */
	uint32_t lane;
	bool alone; /* the sample before it in the lane is not known */
};

struct cp_dispersion {
	double run, program;
};

void cp_series_init(struct cp_series *, void *(*alloc)(void *ctx, size_t),
    void *ctx, const struct cp_tick *, uint32_t n);
/*
 * Estimates the correlation of neighbours over all rows, for rows that have few
 * phases.  label: the row of each sample, below labels.
 */
void cp_series_common(
    struct cp_series *, const uint32_t *label, uint32_t labels);
/* Measures the share of the samples that has[] marks. */
struct cp_dispersion cp_series_dispersion(
    const struct cp_series *, const bool *has);

#endif
