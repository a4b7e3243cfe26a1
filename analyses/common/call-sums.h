/* SPDX-License-Identifier: MIT */
/*
 * analyses/common/call-sums.h: self and children weights per entity, over the
 *stacks of one group at a time.
 *
 *	cp_sums_init(&s, run, &entities, rows, n, children);
 *	for each group:
 *		for each row: cp_sums_add(&s, row);
 *		cp_sums_finish(&s);
 *		... s.sum[s.touched[0 ... s.n - 1]] ...
 *		cp_sums_clear(&s);
 */
#ifndef CP_ANALYSES_COMMON_CALL_SUMS_H
#define CP_ANALYSES_COMMON_CALL_SUMS_H

#include <coldperf/plugin.h>

#include "analyses/common/code-groups.h"
#include "analyses/common/call-paths.h"

struct cp_sum {
	uint64_t self, children, samples;
	double self_sq, children_sq;
	uint32_t depth; /* depth of the outermost place where it occurs */
	/* Of an object's code without a name: addresses of own samples. */
	uint32_t addresses;
	uint64_t addr; /* the first of them */
	bool touched;
};

struct cp_sums {
	struct cp_paths paths; /* merged by entity */
	struct cp_entities *entities;
	bool children;    /* false: children weights and depth stay 0 */
	uint32_t *entity; /* by node */
	uint32_t *depth;  /* by node */
	bool *outermost;  /* by node: no node above it has its entity */
	struct cp_spread spread;
	struct cp_sum *sum; /* by entity */
	uint32_t *touched;  /* entities that have a sum */
	uint32_t n;
	uint32_t *seen; /* by frame: the last group that had its address */
	uint32_t group; /* counts groups */
};

/* Of the stacks of all rows.  The frames must have been named before. */
void cp_sums_init(struct cp_sums *, struct cp_run *, struct cp_entities *,
    const struct cp_tally_row *, size_t, bool children);
void cp_sums_add(struct cp_sums *, const struct cp_tally_row *);
void cp_sums_finish(struct cp_sums *);
void cp_sums_clear(struct cp_sums *);
/*
 * Returns the name of the sum's row.  "[N addresses]" counts only addresses
 * that have samples in the sum.
 */
const char *cp_sum_name(
    const struct cp_entity *, const struct cp_sum *, struct cp_word *buf);

#endif
