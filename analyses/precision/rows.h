/* SPDX-License-Identifier: MIT */
/*
 * analyses/precision/rows.h: how sure the shares of functions are.
 */
#ifndef CP_ANALYSES_PRECISION_ROWS_H
#define CP_ANALYSES_PRECISION_ROWS_H

#include "analyses/common/call-sums.h"
#include "analyses/precision/precision.h"

struct cp_rows_precision {
	struct cp_view *view;
	const struct cp_sums *sums;
	uint32_t *label; /* by sample: its entity */
	bool *inside;    /* by node: below the row's function */
	double sum;      /* of the dispersions measured */
	uint32_t measured;
};

/*
 * Begins with an event whose rows are the entities of sums; view may be NULL.
 */
void cp_rows_precision_init(
    struct cp_rows_precision *, struct cp_view *view, const struct cp_sums *);
/*
 * Returns the whole for the row of an entity in a group; CP_NO_ID: in all
 * groups.  The first rows are measured, later rows take the mean of these.
 */
struct cp_whole cp_rows_precision_whole(struct cp_rows_precision *,
    struct cp_whole, uint32_t group, uint32_t entity, bool children);

#endif
