/* SPDX-License-Identifier: MIT */
/*
 * model/recording.h: what a capture says before and beside its events: the
 * event descriptions, the header features, the tracepoint formats.
 * Filled by readers/, read by everyone.
 */
#ifndef CP_MODEL_RECORDING_H
#define CP_MODEL_RECORDING_H

#include "model/evsel.h"
#include "model/info.h"
#include "model/tracepoint.h"

/* From the CPU's counter to the capture's clock: TIME_CONV. */
struct cp_time_conv {
	bool known;
	bool wraps; /* the counter has the bits of mask only */
	uint64_t shift, mult, zero, cycles, mask;
};

struct cp_recording {
	struct cp_evsels evsels;
	struct cp_info info;
	struct cp_tracepoints tracepoints;
	struct cp_time_conv time_conv;
	const char *container; /* "perf.data file", "pipe", "directory" */
	bool swap;             /* written with the other byte order */
	struct {               /* what cp_recording_link() has seen */
		size_t evsels, events, tracepoints, sp_events;
	} linked;
};

/* Gives events the names and formats that are known by now. */
void cp_recording_link(struct cp_recording *);
void cp_recording_free(struct cp_recording *);

#endif
