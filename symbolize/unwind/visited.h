/* SPDX-License-Identifier: MIT */
/*
 * symbolize/unwind/visited.h: the branches that a search through code has
 * visited.  When the set is full, all branches count as visited, so that the
 * search ends.
 */
#ifndef CP_SYMBOLIZE_UNWIND_VISITED_H
#define CP_SYMBOLIZE_UNWIND_VISITED_H

#include "base/hash.h"

enum { CP_VISITED = 1024 };

struct cp_visited {
	unsigned n;
	uint64_t pc[CP_VISITED]; /* 0: empty */
};

/* True if pc was visited; else adds it.  At most `most`, half of CP_VISITED. */
static inline bool
cp_visit(struct cp_visited *m, uint64_t pc, unsigned most)
{
	unsigned at = (unsigned)cp_mix(pc, 0) % CP_VISITED;

	for (; m->pc[at] != 0; at = (at + 1) % CP_VISITED)
		if (m->pc[at] == pc)
			return true;
	if (m->n == most)
		return true;
	m->n++;
	m->pc[at] = pc;
	return false;
}

#endif
