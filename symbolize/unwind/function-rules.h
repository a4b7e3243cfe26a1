/* SPDX-License-Identifier: MIT */
/*
 * symbolize/unwind/function-rules.h: the packed rules of all addresses of a
 * function, found at once.
 *
 * Who asks about one address of a function asks about others of it.  Found so,
 * rules of DWARF stacks cost a tenth less time.
 */
#ifndef CP_SYMBOLIZE_UNWIND_FUNCTION_RULES_H
#define CP_SYMBOLIZE_UNWIND_FUNCTION_RULES_H

#include "symbolize/cfi/cfi.h"
#include "symbolize/unwind/rule.h"

struct cp_function_row {
	uint32_t at;   /* from the function's start on */
	uint32_t rule; /* CP_RULE_NONE: not to be had so */
};
struct cp_function {
	uint64_t start;    /* which rows count from */
	uint64_t from, to; /* addresses that are the function's */
	const struct cp_function_row *rows;
	uint32_t n;
};
struct cp_function_rules {
	CP_VEC(struct cp_function) functions;
	struct cp_map64 by_fde; /* where that is -> index + 1 */
	struct cp_arena arena;  /* of rows */
	struct cp_function_row *scratch;
	uint32_t *recent; /* index + 1 by block of code, of the last */
	uint32_t recent_mask;
};

/*
 * The packed rule of an address by these tables.  CP_RULE_NONE: there is none,
 * or it does not fit.
 */
uint32_t cp_function_rule(
    struct cp_function_rules *, struct cp_cfi *, uint64_t addr);
void cp_function_rules_free(struct cp_function_rules *);

#endif
