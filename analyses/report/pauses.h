/* SPDX-License-Identifier: MIT */
/*
 * analyses/report/pauses.h: how long the kernel stopped sampling.
 *
 * It stops an event on a CPU that has too many samples, until the next tick.
 * Linux 6.17 says so for each sample: a pause that is shorter than the interval
 * of the samples loses none.
 */
#ifndef CP_ANALYSES_REPORT_PAUSES_H
#define CP_ANALYSES_REPORT_PAUSES_H

#include <coldperf/plugin.h>

struct cp_pauses {
	struct cp_run *run;
	struct cp_pause_cpu *cpus; /* by number */
	uint32_t n;
	uint64_t lost;   /* ns without samples that should have had some */
	uint64_t times;  /* such pauses */
	bool timed;      /* times and CPUs were recorded */
	uint32_t event;  /* of the first sample */
	unsigned events; /* 0: no sample yet, 1: of one event, else of more */
};

void cp_pauses_sample(struct cp_pauses *, const struct cp_sample *);
void cp_pauses_event(struct cp_pauses *, const struct cp_sideband *);

#endif
