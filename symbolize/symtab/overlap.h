/* SPDX-License-Identifier: MIT */
/*
 * symbolize/symtab/overlap.h: a table in which symbols may overlap.
 */
#ifndef CP_SYMBOLIZE_SYMTAB_OVERLAP_H
#define CP_SYMBOLIZE_SYMTAB_OVERLAP_H

#include "symbolize/symtab/symtab.h"

/*
 * Indexes a table in whose order later symbols hide earlier ones; returns how
 * many hide one.
 */
size_t cp_symtab_index_latest(struct cp_symtab *);

#endif
