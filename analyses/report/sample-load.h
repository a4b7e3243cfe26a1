/* SPDX-License-Identifier: MIT */
/*
 * analyses/report/sample-load.h: how samples spread over time, in a fixed
 * number of slices.
 *
 * The slices double their width when the span outgrows them, so nothing has
 * to be known before and memory does not grow.
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
/* A sentence on how even the load was; nothing without times. */
void cp_sample_load_note(const struct cp_sample_load *, struct cp_report *);
/* A lane of the slices, as full as each has samples. */
void cp_sample_load_show(const struct cp_sample_load *, struct cp_report *);

#endif
