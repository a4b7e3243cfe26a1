/* SPDX-License-Identifier: MIT */
/*
 * base/inflated.h: bounds what files with names may inflate to.
 *
 * A claim is made before memory is taken, by each section, symbol table and
 * compressed module.  Each may have CP_INFLATE_FREE bytes and CP_INFLATE_RATIO
 * times what it is inflated from; all claims of the process that are held at
 * the same time, CP_INFLATE_FREE_ALL bytes and as many times.  Files within the
 * ratio are never refused because of others.
 */
#ifndef CP_BASE_INFLATED_H
#define CP_BASE_INFLATED_H

#include "base/base.h"

struct cp_inflated {
	uint64_t from, size; /* compressed bytes, and the claim for them */
};

/* Raises the claim.  False, and the claim is as it was, if that is too much. */
bool cp_inflated_claim(struct cp_inflated *, uint64_t size);
/* Gives the claim back; it may be empty. */
void cp_inflated_release(struct cp_inflated *);

#endif
