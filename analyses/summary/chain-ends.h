/* SPDX-License-Identifier: MIT */
/*
 * analyses/summary/chain-ends.h: where the call chains that the kernel recorded
 * by frame pointers ended, and whether that is where a thread begins.
 *
 * The kernel follows frame pointers.  Code that keeps none leads it anywhere:
 * to address 0, to memory that is no code, or the chain just ends.  Such a
 * chain looks like a short one.  Dumped user stacks have stack-ends.h.
 */
#ifndef CP_ANALYSES_SUMMARY_CHAIN_ENDS_H
#define CP_ANALYSES_SUMMARY_CHAIN_ENDS_H

#include <coldperf/plugin.h>

struct cp_chain_object;
struct cp_chain_sum;
struct cp_chain_ends {
	struct cp_run *run;
	struct cp_chain_object *objects; /* by dso id and reason */
	size_t n_objects;
	uint8_t *facts; /* by frame */
	uint32_t n_facts;
	struct cp_chain_sum *sums; /* by stack */
	uint32_t n_sums;           /* stacks up to this one have theirs */
	uint64_t all;              /* chains of user code */
	uint64_t broken;           /* of these */
	uint64_t callers; /* frames of all chains, without the innermost */
	uint64_t unnamed; /* of these */
};

void cp_chain_ends_init(struct cp_chain_ends *, struct cp_run *);
/* Judges a stack that n samples of the event have; all stacks have names. */
void cp_chain_ends_add(
    struct cp_chain_ends *, uint32_t evsel, cp_stack_id, uint64_t n);
/* Whether an event's chains are such ones. */
bool cp_chain_ends_of(const struct cp_run *, uint32_t evsel);
/* Says in a note that chains are broken, and in whose code; or nothing. */
void cp_chain_ends_note(const struct cp_chain_ends *, struct cp_report *);
/* Shows the table of what broke chains; nothing if none is. */
void cp_chain_ends_show(struct cp_chain_ends *, struct cp_report *);

#endif
