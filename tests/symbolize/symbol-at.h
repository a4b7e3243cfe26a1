/* SPDX-License-Identifier: MIT */
/* tests/symbolize/symbol-at.h: what a symbol table says of an address. */
#ifndef CP_TESTS_SYMBOL_AT_H
#define CP_TESTS_SYMBOL_AT_H

#include "symbolize/symtab/symtab.h"

/* The name; NULL: no symbol. */
static inline const char *
at(struct cp_symtab *t, uint64_t addr)
{
	size_t hint = 0;
	uint32_t e = cp_symtab_find(t, addr, &hint);

	return e != CP_NO_ENTRY ? cp_symtab_name(t, e) : NULL;
}

#endif
