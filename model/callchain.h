/* SPDX-License-Identifier: MIT */
/*
 * model/callchain.h: recorded call chains, stored once each.
 *
 * Captures repeat themselves, so a sample keeps the id of its chain.  A chain
 * is (leaf, callers): what stands behind the sampled address is the same for
 * many addresses and is stored once too.  Chains are told apart by 128 bits
 * of hash; that two different ones share them does not happen by accident
 * (2^-88 for a million chains), and who writes the capture could as well
 * write the other chain.
 */
#ifndef CP_MODEL_CALLCHAIN_H
#define CP_MODEL_CALLCHAIN_H

#include "base/hash.h"
#include "base/vec.h"
#include "model/event.h"

/* What stands behind leaves: markers and addresses, innermost first. */
struct cp_callers {
	struct cp_hash128 hash;
	const uint64_t *words;
	uint32_t n;
};

struct cp_chain {
	uint64_t leaf;    /* innermost address */
	uint32_t callers; /* id; 0: only an address was recorded */
	uint8_t level;    /* enum cp_level of the leaf */
	bool guest;       /* has a marker of a guest: cannot be followed */
	bool kernel;      /* nothing but kernel: the same in every process */
	bool unmapped;    /* the last answer has its leaf in no mapping */
	uint32_t n;       /* words recorded, without an unwound part */
	/* The last answer that resolve.c gave; generation 0: none yet. */
	uint32_t generation;
	cp_stack_id stack;
};

/* check and place are the halves of the hash that matter. */
struct cp_chain_slot {
	uint64_t check;
	uint32_t id; /* 0: empty */
	uint32_t place;
};

struct cp_single_slot {
	uint64_t ip;
	uint32_t id; /* 0: empty */
	uint32_t level;
};

struct cp_chains {
	CP_VEC(struct cp_chain) all; /* by id; 0 is none */
	struct cp_chain_slot *slots;
	uint32_t mask;
	uint32_t n_slots;                  /* in use */
	CP_VEC(struct cp_callers) callers; /* by id; 0 is none */
	uint32_t *caller_slots;
	uint32_t caller_mask;
	/* Addresses without callers. */
	struct cp_single_slot *singles;
	uint32_t single_mask, n_singles;
	struct cp_arena arena;
	uint64_t *scratch; /* CP_MAX_CHAIN + 2 words */
};

void cp_chains_init(struct cp_chains *);
/* ips as recorded; 0 if they are markers only. */
uint32_t cp_chains_add(struct cp_chains *, const uint64_t *ips, size_t nr);
/* One address without callers. */
uint32_t cp_chains_single(struct cp_chains *, enum cp_level, uint64_t ip);
/*
 * The innermost address of the nr words, or ip if there are none, without
 * callers.  With EXACT_IP in misc it is ip.
 */
uint32_t cp_chains_leaf(struct cp_chains *, const uint64_t *ips, uint64_t nr,
    uint64_t ip, uint16_t misc);
/* The level that a marker announces; false: of a guest, or not known. */
static inline bool
cp_marker_level(uint64_t marker, enum cp_level *level)
{
	switch (marker) {
	case CP_CONTEXT_HV: *level = CP_LEVEL_HYPERVISOR; return true;
	case CP_CONTEXT_KERNEL: *level = CP_LEVEL_KERNEL; return true;
	case CP_CONTEXT_USER:
	case CP_CONTEXT_USER_UNWOUND:
	case CP_CONTEXT_USER_GUESSED:
	case CP_CONTEXT_USER_SCANNED:
	case CP_CONTEXT_USER_EDGE:
	case CP_CONTEXT_USER_DEFERRED: *level = CP_LEVEL_USER; return true;
	default: return false;
	}
}
/*
 * The words of a chain as they could be added, without what was left out: up
 * to max of them.  How many.
 */
size_t cp_chains_words(
    const struct cp_chains *, uint32_t id, uint64_t *words, size_t max);
void cp_chains_free(struct cp_chains *);

/*
 * The chain that the branches of a sample make, into out, which has room for
 * CP_MAX_CHAIN words; how many, 0: none.
 */
size_t cp_lbr_chain(uint64_t *out, const struct cp_event *);

/*
 * PEBS and IBS tell the instruction that caused the event (EXACT_IP), while
 * the kernel's chain begins where the interrupt came, mostly an instruction
 * later and now and then in another function.  As in perf report, such a
 * sample is one of its ip, and the chain gives the callers.
 */

/* Must the chain of a sample be corrected? */
static inline bool
cp_exact_differs(const uint64_t *ips, uint64_t nr, uint64_t ip, uint16_t misc)
{
	return (misc & CP_MISC_EXACT_IP) != 0 && ip != 0 && nr != 0 &&
	       (nr < 2 || ips[1] != ip);
}

/*
 * The chain with the exact address, into out, which has room for nr + 2 words;
 * how many.  0: it stays as it was recorded.
 */
size_t cp_exact_chain(
    uint64_t *out, const uint64_t *ips, size_t nr, uint64_t ip, uint16_t misc);

#endif
