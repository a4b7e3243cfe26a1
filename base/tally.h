/* SPDX-License-Identifier: MIT */
/*
 * base/tally.h: the table of cp_tally_* in coldperf/plugin.h.
 *
 * A large tally fits no cache.  So adds wait, and are applied many at a time:
 * each finds its memory prefetched, while others are on their way.
 * cp_tally_rows() applies all that wait.
 */
#ifndef CP_BASE_TALLY_H
#define CP_BASE_TALLY_H

#include <coldperf/tally.h>

#include "base/tuning.h"
#include "base/vec.h"

struct cp_tally_add {
	uint64_t a, b, weight, hash;
};

struct cp_tally_slot {
	uint32_t row;   /* row + 1; 0: empty slot */
	uint32_t check; /* some bits of the hash */
};

struct cp_tally {
	/* in the order they were added first */
	CP_VEC(struct cp_tally_row) rows;
	struct cp_tally_slot *slots;
	uint32_t mask;
	struct cp_tally_add *waiting; /* CP_TALLY_WAITING of them; or NULL */
	uint32_t n_waiting;
};

void cp_tally_free(struct cp_tally *);

#endif
