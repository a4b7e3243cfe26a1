/* SPDX-License-Identifier: MIT */
/*
 * symbolize/symbolizers/perfmap-text.h: parses a perf-PID.map, lines of "start
 * size name" in hex.
 *
 * Node, Java agents, CPython, .NET, LuaJIT and Wasmtime write it: with or
 * without 0x and leading zeros, names with blanks, in any order.  An address
 * may be defined more than once.  Lines have no times, so the last definition
 * counts.
 */
#ifndef CP_SYMBOLIZE_SYMBOLIZERS_PERFMAP_TEXT_H
#define CP_SYMBOLIZE_SYMBOLIZERS_PERFMAP_TEXT_H

#include "base/safe-file.h"
#include "symbolize/symtab/symtab.h"

struct cp_maptext {
	size_t lines; /* lines with a symbol */
	size_t bad;   /* other lines, and a truncated last one */
	size_t again; /* lines that redefine addresses of an earlier one */
	bool full;    /* CP_MAX_SYMBOLS was reached */
};

/*
 * Cuts the text, which must be writable, into strings that the table's names
 * point into, and indexes the table.
 */
void cp_maptext_read(
    struct cp_maptext *, const struct cp_content *, struct cp_symtab *);
/* Where the lines of a map are. */
struct cp_mapspan {
	size_t all;
	size_t inside;      /* those that begin in [start, end) */
	uint64_t low, high; /* all cover no more; equal: there is none */
};

/* Does not change the text. */
struct cp_mapspan cp_maptext_span(
    const struct cp_content *, uint64_t start, uint64_t end);
/*
 * Counts those of n ascending addresses that some line covers.  Does not change
 * the text.
 */
size_t cp_maptext_covers(
    const struct cp_content *, const uint64_t *addr, size_t n);
/* The number of these that are below `end`. */
size_t cp_maptext_below(const uint64_t *addr, size_t n, uint64_t end);

#endif
