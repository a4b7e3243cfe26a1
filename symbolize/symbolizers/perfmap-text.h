/* SPDX-License-Identifier: MIT */
/*
 * symbolize/symbolizers/perfmap-text.h: the text of a perf-PID.map, "start size
 * name" in hex.
 *
 * What Node, Java agents, CPython, .NET, LuaJIT and Wasmtime write: with or
 * without 0x and leading zeros, names with blanks, in any order.  The same
 * address may be defined more than once; the text has no times, so its order
 * is all there is: the last definition counts.
 */
#ifndef CP_SYMBOLIZE_SYMBOLIZERS_PERFMAP_TEXT_H
#define CP_SYMBOLIZE_SYMBOLIZERS_PERFMAP_TEXT_H

#include "base/safe-file.h"
#include "symbolize/symtab/symtab.h"

struct cp_maptext {
	size_t lines; /* that define a symbol */
	size_t bad;   /* that do not, the cut end of the text included */
	size_t again; /* that define addresses of an earlier line anew */
	bool full;    /* CP_MAX_SYMBOLS was reached */
};

/*
 * Cuts the text, which must not be mapped, into strings that the table's
 * names lead into, and indexes the table.
 */
void cp_maptext_read(
    struct cp_maptext *, const struct cp_content *, struct cp_symtab *);
/* How many lines begin in [start, end); does not change the text. */
void cp_maptext_count(const struct cp_content *, uint64_t start, uint64_t end,
    size_t *inside, size_t *all);

#endif
