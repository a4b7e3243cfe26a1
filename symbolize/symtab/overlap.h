/* SPDX-License-Identifier: MIT */
/*
 * symbolize/symtab/overlap.h: symbol tables with overlapping symbols.
 */
#ifndef CP_SYMBOLIZE_SYMTAB_OVERLAP_H
#define CP_SYMBOLIZE_SYMTAB_OVERLAP_H

#include "symbolize/symtab/symtab.h"

/*
 * Indexes a table in which later symbols hide earlier ones.  Returns how many
 * hide another.
 */
size_t cp_symtab_index_latest(struct cp_symtab *);

#endif
