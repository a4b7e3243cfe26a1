/* SPDX-License-Identifier: MIT */
/*
 * base/tally.h: the table behind cp_tally_* of coldperf/plugin.h.
 *
 * A large tally fits no cache, so an add waits in a ring while the memory that
 * it will look at is fetched, and is done some adds later.  cp_tally_rows()
 * does what still waits.
 */
#ifndef CP_BASE_TALLY_H
#define CP_BASE_TALLY_H

#include "base/tuning.h"
#include "base/vec.h"

struct cp_tally_add {
	uint64_t a, b, weight, hash;
};

struct cp_tally_slot {
	uint32_t row;   /* + 1; 0: empty */
	uint32_t check; /* of the hash */
};

struct cp_tally {
	CP_VEC(struct cp_tally_row) rows; /* in order of first appearance */
	struct cp_tally_slot *slots;
	uint32_t mask;
	struct cp_tally_add ring[CP_TALLY_RING];
	size_t added, done; /* adds so far; ring place = number modulo */
};

void cp_tally_free(struct cp_tally *);

#endif
