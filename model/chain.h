/* SPDX-License-Identifier: MIT */
/*
 * model/chain.h: recorded call chains, stored once each.
 *
 * Captures repeat themselves, so a chain is kept as (callers, leaf): what
 * stands behind the sampled address is the same for many addresses.  The
 * callers begin with the marker that says which maps they belong to.
 */
#ifndef CP_MODEL_CHAIN_H
#define CP_MODEL_CHAIN_H

#include "base/hash.h"
#include "base/vec.h"

struct cp_chain {
	uint64_t hash;
	const uint64_t *words;
	uint32_t n;
};

struct cp_chains {
	CP_VEC(struct cp_chain) all; /* by id; 0 is "no chain" */
	uint32_t *slots;
	uint32_t mask;
	struct cp_arena arena;
	uint64_t *scratch; /* CP_MAX_CHAIN + 2 words */
};

struct cp_chain_ref {
	uint32_t callers; /* id; 0: no chain was recorded */
	uint64_t leaf; /* innermost address */
};

void cp_chains_init(struct cp_chains *);
/* ips as recorded; nr > 0. A chain of markers alone gives callers 0. */
struct cp_chain_ref cp_chains_add(
    struct cp_chains *, const uint64_t *ips, size_t nr);
void cp_chains_free(struct cp_chains *);

#endif
