/* SPDX-License-Identifier: MIT */
/*
 * symbolize/dwarf/dwarf.h: address -> functions inlined there, and source
 * lines, from DWARF 2 to 5.
 *
 * Made for batches: sorted addresses are grouped by compilation unit, and of
 * each unit that is hit the entries are walked once and the line program is
 * run once.  Only the sections that this takes are read.  Every input is
 * bounded; what is damaged has no answer.  Not for two threads at once, but
 * of one file there may be several readers.
 *
 * This room reads .debug_info, .debug_line and what they refer to, and no
 * other section.  It may use elf/; it does not know objects or where files
 * come from, its caller hands them in.  Begin in dwarf.c, cp_dwarf_lookup();
 * internal.h lists the parts in order.
 */
#ifndef CP_SYMBOLIZE_DWARF_DWARF_H
#define CP_SYMBOLIZE_DWARF_DWARF_H

#include "symbolize/dwarf/answer.h"

struct cp_dwarf;

/* NULL if there is no debug information; elf must outlive it. */
struct cp_dwarf *cp_dwarf_open(
    const struct cp_elf *, const struct cp_dwarf_files *);
void cp_dwarf_free(struct cp_dwarf *);

/*
 * Answers n ascending addresses of the image (of a relocatable file: counted
 * from .text); out has n elements.
 */
void cp_dwarf_lookup(struct cp_dwarf *, const uint64_t *addr, size_t n,
    struct cp_dwarf_result *, struct cp_dwarf_place *out);
/* The same answers, by up to so many threads; of them only the caller's asks
 * for other files. */
void cp_dwarf_lookup_by(struct cp_dwarf *, unsigned threads,
    const uint64_t *addr, size_t n, struct cp_dwarf_result *,
    struct cp_dwarf_place *out);
/* False if a split unit or a supplement was not found, or the last look-up
 * was more work than the size of the file justifies. */
bool cp_dwarf_complete(const struct cp_dwarf *);
/* What the last look-up ran into, so that something is missing, or NULL. */
const char *cp_dwarf_limit(const struct cp_dwarf *);
/* Of all units.  For bundles. */
void cp_dwarf_splits(struct cp_dwarf *, cp_dwarf_split_fn, void *ctx);
/* Text of the ids above; lives as long as the reader. */
const char *cp_dwarf_string(const struct cp_dwarf *, cp_string_id);
/* MD5 of the text of a source file that was answered; NULL: not said. */
const uint8_t *cp_dwarf_md5(const struct cp_dwarf *, cp_string_id file);

#endif
