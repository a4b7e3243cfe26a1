/* SPDX-License-Identifier: MIT */
/*
 * symbolize/dwarf/dwarf.h: finds inlined functions and source lines of
 * addresses, from DWARF 2 to 5.
 *
 * Works in batches: sorted addresses are grouped by unit, and for each unit the
 * DIEs are walked once and the line program is run once.  Only the needed
 * sections are read.  Every input is bounded; damaged parts give no result.  A
 * reader is for one thread at a time, but a file may have several readers.
 *
 * This room reads .debug_info, .debug_line and what they refer to.  It may use
 * elf/.  It knows neither objects nor where files are; callers pass them in.
 * Begin in dwarf.c, cp_dwarf_lookup(); internal.h lists the parts in order.
 */
#ifndef CP_SYMBOLIZE_DWARF_DWARF_H
#define CP_SYMBOLIZE_DWARF_DWARF_H

#include "symbolize/dwarf/answer.h"

struct cp_dwarf;

/* Returns NULL without debug information.  elf must outlive the reader. */
struct cp_dwarf *cp_dwarf_open(
    const struct cp_elf *, const struct cp_dwarf_files *);
void cp_dwarf_free(struct cp_dwarf *);

/*
 * Finds n ascending addresses of the image (in relocatable files they count
 * from .text).  out has n elements.
 */
void cp_dwarf_lookup(struct cp_dwarf *, const uint64_t *addr, size_t n,
    struct cp_dwarf_result *, struct cp_dwarf_place *out);
/*
 * The same with up to `threads` threads.  Only the caller's thread calls the
 * callbacks.
 */
void cp_dwarf_lookup_by(struct cp_dwarf *, unsigned threads,
    const uint64_t *addr, size_t n, struct cp_dwarf_result *,
    struct cp_dwarf_place *out);
/*
 * False if a split unit or a supplementary file was not found or is damaged, or
 * if the last look-up exceeded the limit.
 */
bool cp_dwarf_complete(const struct cp_dwarf *);
/* Was something found that cannot be read? */
bool cp_dwarf_damaged(const struct cp_dwarf *);
/* The name of a split file that a look-up needed and did not find, or NULL. */
const char *cp_dwarf_missing(const struct cp_dwarf *);
/* The limit that cut the last look-up's results, or NULL. */
const char *cp_dwarf_limit(const struct cp_dwarf *);
/* Calls fn for the split files of all units.  For bundles. */
void cp_dwarf_splits(struct cp_dwarf *, cp_dwarf_split_fn, void *ctx);
/* The text of an id; lives as long as the reader. */
const char *cp_dwarf_string(const struct cp_dwarf *, cp_string_id);
/* Folders that units with results were compiled in, from id 1 on. */
const struct cp_strings *cp_dwarf_roots(const struct cp_dwarf *);
/* MD5 of a source file that was in a result; NULL: none. */
const uint8_t *cp_dwarf_md5(const struct cp_dwarf *, cp_string_id file);

#endif
