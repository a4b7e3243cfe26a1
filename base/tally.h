/* SPDX-License-Identifier: MIT */
/* base/tally.h: the table behind cp_tally_* of coldperf/plugin.h. */
#ifndef CP_BASE_TALLY_H
#define CP_BASE_TALLY_H

#include "base/vec.h"

/*
 * Mostly the first key is one of a few and the second a small dense id (a
 * stack): such rows hang off an array by the second.  Others are hashed.
 */
struct cp_tally {
	CP_VEC(struct cp_tally_row) rows; /* in order of first appearance */
	CP_VEC(uint32_t) next; /* row + 1 of the same second key; 0: none */
	CP_VEC(uint32_t) head; /* row + 1, by second key */
	uint32_t *slots; /* row + 1 of the hashed ones; 0: empty */
	uint32_t mask, hashed;
};

void cp_tally_free(struct cp_tally *);

#endif
