/* SPDX-License-Identifier: MIT */
/*
 * model/recording.h: the description of a capture, without its records: events,
 * header features, tracepoint formats.
 *
 * readers/ fills it; every room may read it.
 */
#ifndef CP_MODEL_RECORDING_H
#define CP_MODEL_RECORDING_H

#include "model/counts.h"
#include "model/evsel.h"
#include "model/info.h"
#include "model/tracepoint.h"

/* TIME_CONV: converts the CPU's counter to the capture's clock. */
struct cp_time_conv {
	bool known;
	bool wraps; /* the counter has only the bits in mask */
	uint64_t shift, mult, zero, cycles, mask;
};

struct cp_recording {
	struct cp_evsels evsels;
	struct cp_info info;
	struct cp_tracepoints tracepoints;
	struct cp_time_conv time_conv;
	struct cp_counts counts;
	const char *container; /* "perf.data file", "pipe", "directory" */
	bool swap;             /* written with the other byte order */
	/* entries that cp_recording_link() has handled */
	struct {
		size_t evsels, events, tracepoints, sp_events;
	} linked;
	/* bytes of compressed records so far, after and before inflating */
	uint64_t inflated, deflated;
};

/* Sets the names and formats of events that are known by now. */
void cp_recording_link(struct cp_recording *);
void cp_recording_free(struct cp_recording *);

#endif
