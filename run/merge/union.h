/* SPDX-License-Identifier: MIT */
/* run/merge/union.h: the union of captures, as far as they were read. */
#ifndef CP_RUN_MERGE_UNION_H
#define CP_RUN_MERGE_UNION_H

#include "run/api.h"
#include "run/merge/contents.h"
#include "run/merge/gather.h"

struct cp_merger {
	struct cp_run all; /* the union */
	struct cp_merged merged;
	/* objects, symbols and frames by content */
	struct cp_contents objects, symbols, frames;
	/* places in objects with a build ID: their first symbol's name */
	struct cp_contents places;
	CP_VEC(const struct cp_symbol *) symbol; /* by id - 1 */
	CP_VEC(uint32_t) disagree; /* by dso id - 1: places with two names */
	size_t inputs;             /* that were added */
	uint64_t end;              /* of the captures so far, in ns */
	struct cp_analysis gather; /* with what the analyses want */
	struct cp_gather samples;  /* of the capture being read */
	uint32_t missed; /* captures of which a filter leaves nothing */
};

#endif
