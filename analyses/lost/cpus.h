/* SPDX-License-Identifier: MIT */
/*
 * analyses/lost/cpus.h: the earliest time at which a loss can have begun.
 *
 * The kernel writes a LOST record as soon as the CPU's buffer has room again.
 * So the loss began after the CPU's last record before the LOST record.
 */
#ifndef CP_ANALYSES_LOST_CPUS_H
#define CP_ANALYSES_LOST_CPUS_H

#include <coldperf/spans.h>

/*
 * Number of records lost: the sum of LOST records, and the count that the
 * kernel gave when the recording ended.
 */
struct cp_lost_count {
	uint64_t told, counted;
};

struct cp_lost_cpu {
	uint64_t last; /* time of its last record */
	struct cp_lost_count lost;
};

struct cp_lost_cpus {
	struct cp_run *run;
	struct cp_lost_spans spans;
	struct cp_index numbers; /* (CPU, 0) */
	struct cp_lost_cpu *cpu;
	uint32_t cap;
	uint32_t oldest;      /* the CPU whose last record is the oldest */
	uint64_t oldest_last; /* time of that record when the CPU was chosen */
	uint64_t first, last; /* times of records; CP_NO_TIME: none */
	struct cp_lost_count lost;
	uint64_t anywhere; /* counted without a CPU */
};

void cp_lost_cpus_init(struct cp_lost_cpus *, struct cp_run *);
/* Must be told of every sample: its CPU lost nothing between two of them. */
void cp_lost_cpus_sample(struct cp_lost_cpus *, const struct cp_sample *);
/*
 * Adds the loss of a LOST record to the spans.  Returns where it can have
 * begun; CP_NO_TIME: the record is not of a loss, or has no time.
 */
uint64_t cp_lost_cpus_event(struct cp_lost_cpus *, const struct cp_sideband *);
/*
 * Adds the losses for which no LOST record came: the last loss of a CPU.
 * Returns where the first of them can have begun; CP_NO_TIME: there are none.
 */
uint64_t cp_lost_cpus_finish(struct cp_lost_cpus *);

#endif
