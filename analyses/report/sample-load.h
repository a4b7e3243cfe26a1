/* SPDX-License-Identifier: MIT */
/*
 * analyses/report/sample-load.h: how samples spread over time, in a fixed
 * number of slices.
 *
 * The slices double their width when the span outgrows them.  So the length of
 * the capture need not be known in advance, and memory does not grow.
 */
#ifndef CP_ANALYSES_REPORT_SAMPLE_LOAD_H
#define CP_ANALYSES_REPORT_SAMPLE_LOAD_H

#include <coldperf/plugin.h>

#define CP_SLICES 64

struct cp_sample_load {
	uint64_t base;  /* time of the first sample; valid once n is not 0 */
	uint64_t width; /* of a slice, ns; 0: nothing yet */
	uint64_t last;  /* time since base */
	uint64_t slice[CP_SLICES];
	uint64_t samples;
};

void cp_sample_load_add(struct cp_sample_load *, uint64_t time);
/* Adds a sentence on how even the load was, if samples have times. */
void cp_sample_load_note(
    const struct cp_sample_load *, const struct cp_run *, struct cp_report *);
/* Adds a lane with a cell for each slice, filled by its number of samples. */
void cp_sample_load_show(const struct cp_sample_load *, struct cp_report *);

#endif
