/* SPDX-License-Identifier: MIT */
/* base/tally.h: the table behind cp_tally_* of coldperf/plugin.h. */
#ifndef CP_BASE_TALLY_H
#define CP_BASE_TALLY_H

#include "base/vec.h"

struct cp_tally {
	CP_VEC(struct cp_tally_row) rows; /* in order of first appearance */
	uint32_t *slots; /* row + 1; 0: empty */
	uint32_t mask;
};

void cp_tally_free(struct cp_tally *);

#endif
