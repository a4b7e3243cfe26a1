/* SPDX-License-Identifier: MIT */
/*
 * symbolize/symtab/alias.h: which of several names of one address is shown.
 */
#ifndef CP_SYMBOLIZE_SYMTAB_ALIAS_H
#define CP_SYMBOLIZE_SYMTAB_ALIAS_H

#include "symbolize/symtab/entry.h"

/*
 * Which of two symbols of the same start is shown: below 0 the first, above 0
 * the second; 0: their names decide.
 */
int cp_alias_order(const struct cp_entry *a, const struct cp_entry *b);
bool cp_alias_prefers_first(const char *a, const char *b);

#endif
