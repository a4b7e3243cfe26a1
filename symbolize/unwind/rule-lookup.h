/* SPDX-License-Identifier: MIT */
/*
 * symbolize/unwind/rule-lookup.h: finds the rule of an address.
 */
#ifndef CP_SYMBOLIZE_UNWIND_RULE_LOOKUP_H
#define CP_SYMBOLIZE_UNWIND_RULE_LOOKUP_H

#include "symbolize/unwind/walk.h"

/* The rule of an address, packed if it fits. */
uint32_t cp_walk_rule(struct cp_unwind_walk *, uint64_t pc);
/* The rule in its full form. */
uint32_t cp_walk_full_rule(struct cp_unwind_walk *, uint64_t pc);
/* Charges the object at pc with the steps of its rule. */
void cp_walk_charge_at(struct cp_unwind_walk *, uint64_t pc, uint32_t steps);
/*
 * True if ra is a function's first instruction and not after a call.  Then
 * someone put it on the stack for the outermost frame to return to, as
 * makecontext() does.
 */
bool cp_walk_returns_to_start(struct cp_unwind_walk *, uint64_t ra);

/* What the tables of an object have for an address. */
struct cp_unwind_row {
	const struct cp_arch *arch;
	struct cp_cfi_row row;
	bool go;             /* the row is of Go's tables */
	uint64_t at;         /* the address in the image */
	uint64_t start, end; /* of the function, or of its part, in the image */
	const struct cp_elf *elf; /* with the code's bytes; or NULL */
};

/*
 * Outside of a walk: finds the row of an address (as in cp_frame).  False:
 * there is no table.
 */
bool cp_unwinder_row(
    struct cp_unwinder *, uint32_t dso, uint64_t addr, struct cp_unwind_row *);

#endif
