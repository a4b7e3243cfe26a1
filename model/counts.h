/* SPDX-License-Identifier: MIT */
/*
 * model/counts.h: what `perf stat record` counted: records STAT, STAT_ROUND,
 * STAT_CONFIG and THREAD_MAP.
 *
 * A counter is an event on a CPU or of a thread, known by its id.  perf writes
 * sums since the beginning each time it reads the counters; what is kept is
 * what each interval added.
 */
#ifndef CP_MODEL_COUNTS_H
#define CP_MODEL_COUNTS_H

#include "base/hash.h"
#include "base/vec.h"
#include <coldperf/plugin.h>

enum { CP_COMM_SIZE = 16 };

struct cp_last_count {
	uint64_t value, enabled, running; /* sums when it was last read */
};

struct cp_counted_thread {
	uint32_t tid; /* CP_NO_ID: all threads */
	char comm[CP_COMM_SIZE + 1];
};

struct cp_counts {
	struct cp_stat pub; /* its pointers are set by cp_counts_public() */
	CP_VEC(struct cp_reading) readings;
	CP_VEC(uint64_t) times; /* of the rounds that ended */
	CP_VEC(struct cp_counted_thread) threads;
	CP_VEC(struct cp_last_count) counters;
	struct cp_map64 by_id; /* id of an event -> index in counters + 1 */
};

/*
 * Adds a reading of the counter: r has sums since the beginning.  False: there
 * are CP_MAX_READINGS, and it is left out.
 */
bool cp_counts_add(struct cp_counts *, uint64_t id, const struct cp_reading *r);
/* Ends a round of readings at that time. */
void cp_counts_round(struct cp_counts *, uint64_t time, bool final);
/* NULL: perf stat made nothing of it. */
const struct cp_stat *cp_counts_public(struct cp_counts *);
void cp_counts_free(struct cp_counts *);

#endif
