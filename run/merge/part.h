/* SPDX-License-Identifier: MIT */
/*
 * run/merge/part.h: what of a capture is in the union: the union's number of
 * each of its objects, symbols, frames and stacks.
 */
#ifndef CP_RUN_MERGE_PART_H
#define CP_RUN_MERGE_PART_H

#include "base/buf.h"
#include "run/merge/union.h"

struct cp_merge_part {
	struct cp_merger *m;
	struct cp_run *run;
	/* Numbers of the union by those of the capture; 0: not added. */
	uint32_t *object, *frame, *stack;
	CP_VEC(uint32_t) symbol;
	struct cp_buf key; /* scratch */
};

void cp_merge_part_init(
    struct cp_merge_part *, struct cp_merger *, struct cp_run *);
/* Adds these stacks, whose frames were named; used is by stack. */
void cp_merge_part_stacks(struct cp_merge_part *, const bool *used);
uint32_t cp_merge_part_object(struct cp_merge_part *, uint32_t dso);
/* The union's number of a text. */
cp_string_id cp_merge_part_text(struct cp_merge_part *, const char *);
void cp_merge_part_free(struct cp_merge_part *);

#endif
