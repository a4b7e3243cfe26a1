/* SPDX-License-Identifier: MIT */
/*
 * analyses/lost/chain-ends.h: where the call chains end that the kernel
 * recorded by frame pointers, and whether a thread begins there.
 *
 * The kernel follows frame pointers.  In code without frame pointers it follows
 * a wrong value: to address 0, or to memory that is not code, or the chain ends
 * early.  Such a chain looks like a short one.  Dumped user stacks have
 * stack-ends.h.
 */
#ifndef CP_ANALYSES_LOST_CHAIN_ENDS_H
#define CP_ANALYSES_LOST_CHAIN_ENDS_H

#include <coldperf/plugin.h>

struct cp_chain_object;
struct cp_chain_sum;
struct cp_chain_ends {
	struct cp_run *run;
	struct cp_chain_object *objects; /* by dso id and reason */
	size_t n_objects;
	uint8_t *facts; /* by frame */
	uint32_t n_facts;
	struct cp_chain_sum *sums;      /* by stack */
	uint32_t n_stacks;              /* length of sums */
	uint32_t n_sums;                /* stacks up to this one have theirs */
	uint64_t all;                   /* chains of user code */
	uint64_t broken;                /* of these */
	uint64_t weight, broken_weight; /* of their samples */
	uint64_t callers; /* frames of all chains, without the innermost */
	uint64_t unnamed; /* of these */
};

void cp_chain_ends_init(struct cp_chain_ends *, struct cp_run *);
/* Judges the stack of a row (b) of the event; all stacks have names. */
void cp_chain_ends_add(
    struct cp_chain_ends *, uint32_t evsel, const struct cp_tally_row *);
/* Were the event's chains recorded by frame pointers? */
bool cp_chain_ends_of(const struct cp_run *, uint32_t evsel);
/*
 * Adds a note on broken chains and the objects that broke them, if there are
 * any.
 */
void cp_chain_ends_note(const struct cp_chain_ends *, struct cp_report *);
/* Shows the table of objects that broke chains, if there are any. */
void cp_chain_ends_show(struct cp_chain_ends *, struct cp_report *);

#endif
