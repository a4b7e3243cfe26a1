/* SPDX-License-Identifier: MIT */
/*
 * analyses/flame/lineage.h: how much two paths have in common, in a time that
 * grows with the logarithm of their depth.
 *
 * Each node has its depth and one ancestor far above it, chosen so that few of
 * these jumps and steps to the parent lead to any ancestor (Myers, An
 * applicative random-access stack, 1983).
 */
#ifndef CP_ANALYSES_FLAME_LINEAGE_H
#define CP_ANALYSES_FLAME_LINEAGE_H

#include "analyses/common/call-paths.h"

struct cp_lineage {
	const uint32_t *parent; /* of the paths; a parent's number is lower */
	uint32_t *depth, *jump; /* the root, number 0, is its own */
	uint32_t deepest;
};

void cp_lineage_init(struct cp_lineage *, const struct cp_paths *);
/* Returns the depth of the deepest node that is an ancestor of both. */
uint32_t cp_lineage_common(const struct cp_lineage *, uint32_t, uint32_t);

#endif
