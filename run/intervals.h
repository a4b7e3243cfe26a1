/* SPDX-License-Identifier: MIT */
/*
 * run/intervals.h: a set of times: sorted intervals that do not touch.
 *
 * What has a length is cut at `from' and `to'.  A moment is in the interval up
 * to `last': `to', or the ns before it where the next interval may begin there,
 * so that a moment is in one of the two only.
 */
#ifndef CP_RUN_INTERVALS_H
#define CP_RUN_INTERVALS_H

#include "base/vec.h"

struct cp_interval {
	uint64_t from, last, to;
};
typedef CP_VEC(struct cp_interval) cp_intervals;

/* Makes a set of intervals in any order, which may overlap. */
void cp_intervals_unite(cp_intervals *);
/* Leaves of `a` what is in `b`, too. */
void cp_intervals_meet(cp_intervals *a, const cp_intervals *b);
bool cp_intervals_have(const cp_intervals *, uint64_t time);
/* Is a moment of these times in the set? */
bool cp_intervals_touch(const cp_intervals *, uint64_t start, uint64_t end);
/* Cuts times to their first part in the set; false: none has a length. */
bool cp_intervals_cut(const cp_intervals *, uint64_t *start, uint64_t *end);

#endif
