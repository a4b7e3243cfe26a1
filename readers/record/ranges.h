/* SPDX-License-Identifier: MIT */
/* readers/record/ranges.h: addresses that are known to be mapped. */
#ifndef CP_READERS_RECORD_RANGES_H
#define CP_READERS_RECORD_RANGES_H

#include "base/vec.h"

struct cp_range {
	uint64_t from, to;
};

struct cp_ranges {
	CP_VEC(struct cp_range) all;
	bool merged; /* they are in order and do not overlap */
};

/* Adds addresses [from, from + len), if there are such. */
void cp_ranges_add(struct cp_ranges *, uint64_t from, uint64_t len);
bool cp_ranges_have(struct cp_ranges *, uint64_t address);
/* Where the last range starts; 0: there is none. */
uint64_t cp_ranges_last(struct cp_ranges *);
void cp_ranges_free(struct cp_ranges *);

#endif
