/* SPDX-License-Identifier: MIT */
/*
 * model/callchain.h: recorded call chains, each stored once.
 *
 * Captures repeat themselves, so a sample keeps the id of its chain.  A chain
 * is (leaf, callers): many addresses share the same callers, so these are
 * stored once too.
 *
 * Chains are identified by a hash of 128 bits.  Two chains collide by accident
 * with a chance of 2^-88 for a million chains; an attacker gains nothing by a
 * collision, because the author of the capture chooses the chains anyway.
 */
#ifndef CP_MODEL_CALLCHAIN_H
#define CP_MODEL_CALLCHAIN_H

#include "base/hash.h"
#include "base/tuning.h"
#include "base/vec.h"
#include "model/event.h"

/*
 * Callers of a leaf: markers and addresses, innermost first.  Deep chains
 * differ in their inner part, so every CP_CALLERS_PART words from the outermost
 * on are callers of their own, which begin with the marker that holds for them.
 */
struct cp_callers {
	struct cp_hash128 hash;
	const uint64_t *words;
	uint32_t n;
	uint32_t outer; /* id of the callers' callers; 0: there are none */
	/* what resolve.c found last; generation 0: nothing yet */
	uint32_t generation;
	cp_stack_id stack;
};

struct cp_chain {
	uint64_t leaf;    /* innermost address */
	uint32_t callers; /* id; 0: only an address was recorded */
	uint8_t level;    /* enum cp_level of the leaf */
	bool guest;       /* has a guest's marker: its frames cannot be named */
	/* kernel addresses only: the same stack in every process */
	bool kernel;
	/* from a file that we wrote: enum cp_unwind_end of the stack */
	uint8_t end;
	bool unmapped; /* the last answer: the leaf is in no mapping */
	uint8_t lost;  /* the same: its CP_FRAME_LOST and GUESSED */
	bool whole;    /* of branches: no caller can be missing */
	uint32_t n;    /* words recorded, without an unwound part */
	/* The stack that resolve.c found last; generation 0: none yet. */
	uint32_t generation;
	cp_stack_id stack;
};

/* A slot of the hash table; check and place are parts of the hash. */
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

/* A chain to be looked up, while its slot is fetched from memory. */
struct cp_chain_wait {
	struct cp_hash128 hash;
	const uint64_t *ips;
	size_t nr;
	uint32_t *id;
};

struct cp_chains {
	CP_VEC(struct cp_chain) all; /* by id; id 0 is unused */
	struct cp_chain_slot *slots;
	uint32_t mask;
	uint32_t n_slots;                  /* number of slots in use */
	CP_VEC(struct cp_callers) callers; /* by id; id 0 is unused */
	uint32_t *caller_slots;
	uint32_t caller_mask;
	/* The table of chains that are one address. */
	struct cp_single_slot *singles;
	uint32_t single_mask, n_singles;
	struct cp_chain_wait ring[CP_CHAIN_RING];
	size_t queued, taken; /* ring index = number modulo size */
	struct cp_arena arena;
	uint64_t *scratch; /* CP_MAX_CHAIN + 2 words */
	uint64_t *joined;  /* as many; NULL: not made yet */
};

void cp_chains_init(struct cp_chains *);
/* Adds a chain as recorded.  Returns its id; 0: it has only markers. */
uint32_t cp_chains_add(struct cp_chains *, const uint64_t *ips, size_t nr);
/*
 * Adds a chain that has an address, and writes its id later; not after
 * cp_chains_settle().  ips and id must stay until then.
 */
void cp_chains_queue(
    struct cp_chains *, const uint64_t *ips, size_t nr, uint32_t *id);
void cp_chains_settle(struct cp_chains *);
/* Adds a chain of one address. */
uint32_t cp_chains_single(struct cp_chains *, enum cp_level, uint64_t ip);
/*
 * Adds the innermost of nr words as a chain of its own, or ip if there are none
 * or if misc has EXACT_IP.
 */
uint32_t cp_chains_leaf(struct cp_chains *, const uint64_t *ips, uint64_t nr,
    uint64_t ip, uint16_t misc);
/* Finds the level that a marker stands for.  False: a guest's or unknown. */
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
 * Returns all words of the chain's callers, innermost first, until the next
 * call.  *n: how many, 0 if it has none.
 */
const uint64_t *cp_chains_callers(
    struct cp_chains *, const struct cp_chain *, uint32_t *n);
/*
 * Writes up to max words of a chain in the form that cp_chains_add() takes,
 * without the frames that were left out.  Returns how many.
 */
size_t cp_chains_words(
    struct cp_chains *, uint32_t id, uint64_t *words, size_t max);
void cp_chains_free(struct cp_chains *);

/*
 * Writes the chain that the sample's branches make.  out has room for
 * CP_MAX_CHAIN words.  Returns how many were written; 0: no such chain.
 */
size_t cp_lbr_chain(uint64_t *out, const struct cp_event *);

/*
 * PEBS and IBS report the instruction that caused the event (EXACT_IP), but the
 * kernel's chain begins at the interrupt: mostly one instruction later, now and
 * then in another function.  As perf report does, such a sample counts for its
 * ip, and the chain gives the callers.
 */

/* True if the chain's leaf must be replaced by ip. */
static inline bool
cp_exact_differs(const uint64_t *ips, uint64_t nr, uint64_t ip, uint16_t misc)
{
	return (misc & CP_MISC_EXACT_IP) != 0 && ip != 0 && nr != 0 &&
	       (nr < 2 || ips[1] != ip);
}

/*
 * Writes the chain with the exact ip.  out has room for nr + 2 words.  Returns
 * how many; 0: the recorded chain stays.
 */
size_t cp_exact_chain(
    uint64_t *out, const uint64_t *ips, size_t nr, uint64_t ip, uint16_t misc);

#endif
