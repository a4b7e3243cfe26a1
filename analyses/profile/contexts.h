/* SPDX-License-Identifier: MIT */
/*
 * analyses/profile/contexts.h: what samples have beside their stack: the
 * control group they were taken in, how the unwinding of their copy of the
 * stack ended, and for formats that show them labels: the payload, the data
 * source.  Most captures have a few contexts, or none.
 */
#ifndef CP_ANALYSES_PROFILE_CONTEXTS_H
#define CP_ANALYSES_PROFILE_CONTEXTS_H

#include "analyses/profile/code.h"

struct cp_contexts {
	struct cp_index ends; /* (control group, end and object) */
	struct cp_index all;  /* (number in ends + 1, labels) */
	struct cp_run *run;
	bool labels;    /* some format shows them */
	uint64_t bytes; /* of all labels */
	uint32_t first; /* number of the first one in the profile, less 1 */
};

void cp_contexts_init(struct cp_contexts *, struct cp_run *);
/* Returns the context of a sample, from 1; 0: it has none. */
uint32_t cp_contexts_row(struct cp_contexts *, const struct cp_sample *);
/* Returns the number in the profile; 0 stays. */
static inline uint32_t
cp_contexts_number(const struct cp_contexts *c, uint32_t row)
{
	return row != 0 ? c->first + row : 0;
}
/* Adds all rows, in their order. */
void cp_contexts_show(const struct cp_contexts *, struct cp_code_rows *);

#endif
