/* SPDX-License-Identifier: MIT */
/*
 * base/inflated.h: limits the memory that files with names may inflate to.
 *
 * A claim is made before memory is taken, by each section, symbol table and
 * compressed module.  Each may have CP_INFLATE_FREE bytes plus CP_INFLATE_RATIO
 * times its compressed size.  All claims that the process holds at the same
 * time may have CP_INFLATE_FREE_ALL bytes plus the same multiple.  Files within
 * the ratio are never refused because of others.
 */
#ifndef CP_BASE_INFLATED_H
#define CP_BASE_INFLATED_H

#include "base/base.h"

struct cp_inflated {
	uint64_t from, size; /* compressed bytes, and the claim for them */
};

/*
 * Raises the claim.  False: that exceeds a limit, and the claim is unchanged.
 */
bool cp_inflated_claim(struct cp_inflated *, uint64_t size);
/* Releases the claim, which may be empty. */
void cp_inflated_release(struct cp_inflated *);

#endif
