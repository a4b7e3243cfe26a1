/* SPDX-License-Identifier: MIT */
/*
 * symbolize/symtab/alias.h: chooses between several names of an address.
 */
#ifndef CP_SYMBOLIZE_SYMTAB_ALIAS_H
#define CP_SYMBOLIZE_SYMTAB_ALIAS_H

#include "symbolize/symtab/entry.h"

/*
 * Compares two symbols of the same start.  Below 0: show the first; above 0:
 * the second; 0: their names decide.
 */
int cp_alias_order(const struct cp_entry *a, const struct cp_entry *b);
bool cp_alias_prefers_first(const char *a, const char *b);
/*
 * True if the names are those of two functions, and not two of one: an alias
 * has the other name in it, as __libc_read has read, fopen64 has fopen.
 */
bool cp_alias_are_twins(const char *a, const char *b);

#endif
