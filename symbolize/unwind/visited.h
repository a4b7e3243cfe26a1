/* SPDX-License-Identifier: MIT */
/*
 * symbolize/unwind/visited.h: the branches that a search through code has come
 * by.  When there is no room for more, all have been met, so that it ends.
 */
#ifndef CP_SYMBOLIZE_UNWIND_VISITED_H
#define CP_SYMBOLIZE_UNWIND_VISITED_H

#include "base/hash.h"

enum { CP_MET = 1024 };

struct cp_met {
	unsigned n;
	uint64_t pc[CP_MET]; /* 0: empty */
};

/* Has another way come by here?  At most `most` are kept, half of CP_MET. */
static inline bool
cp_met(struct cp_met *m, uint64_t pc, unsigned most)
{
	unsigned at = (unsigned)cp_mix(pc, 0) % CP_MET;

	for (; m->pc[at] != 0; at = (at + 1) % CP_MET)
		if (m->pc[at] == pc)
			return true;
	if (m->n == most)
		return true;
	m->n++;
	m->pc[at] = pc;
	return false;
}

#endif
