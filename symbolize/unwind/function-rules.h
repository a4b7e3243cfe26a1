/* SPDX-License-Identifier: MIT */
/*
 * symbolize/unwind/function-rules.h: caches the packed rules of all rows of a
 * function.
 *
 * Addresses of the same function are asked for again and again.  This saves a
 * tenth of the time that rules of DWARF stacks take.
 */
#ifndef CP_SYMBOLIZE_UNWIND_FUNCTION_RULES_H
#define CP_SYMBOLIZE_UNWIND_FUNCTION_RULES_H

#include "symbolize/cfi/cfi.h"
#include "symbolize/unwind/rule.h"

struct cp_function_row {
	uint32_t at;   /* offset from the function's start */
	uint32_t rule; /* CP_RULE_NONE: the row does not fit */
};
struct cp_function {
	uint64_t start;    /* base of the rows */
	uint64_t from, to; /* addresses known to be the function's */
	const struct cp_function_row *rows;
	uint32_t n;
};
struct cp_function_rules {
	CP_VEC(struct cp_function) functions;
	struct cp_map64 by_fde; /* address of the FDE -> index + 1 */
	struct cp_arena arena;  /* memory of the rows */
	struct cp_function_row *scratch;
	/* per block of code: index + 1 of the last function */
	uint32_t *recent;
	uint32_t recent_mask;
};

/*
 * The packed rule of an address.  CP_RULE_NONE: no rule, or it does not fit.
 */
uint32_t cp_function_rule(
    struct cp_function_rules *, struct cp_cfi *, uint64_t addr);
void cp_function_rules_free(struct cp_function_rules *);

#endif
