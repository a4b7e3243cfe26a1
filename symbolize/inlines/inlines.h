/* SPDX-License-Identifier: MIT */
/*
 * symbolize/inlines/inlines.h: the functions inlined at an address, and its
 * line.
 *
 * This room asks debug information in batches, and caches the answers on disk.
 * It may use object/, symbolizers/, dwarf/, golang/, file-index/, elf/ and
 * demangle/.  Begin in inlines.c, cp_symbols_inlines(); ask.c asks one object.
 */
#ifndef CP_SYMBOLIZE_INLINES_INLINES_H
#define CP_SYMBOLIZE_INLINES_INLINES_H

#include "symbolize/inlines/request.h"

struct cp_elf;
struct cp_object;
struct cp_symbols;

/* Runs n requests.  last: frees memory, since no more requests will follow. */
void cp_symbols_inlines(
    struct cp_symbols *, struct cp_inlines *, size_t n, bool last);

/*
 * Finds the MD5 of a source file in the object's debug information.  False if
 * there is none, or if the file is not from a `fresh` request.
 */
bool cp_symbols_source_md5(struct cp_symbols *, const struct cp_dso_info *,
    const char *file, uint8_t md5[16]);

/*
 * Returns the folders that the object was compiled in, of the units that fresh
 * answers came from, from id 1 on.  NULL: answers came from other files, too.
 */
struct cp_strings;
const struct cp_strings *cp_symbols_source_roots(
    struct cp_symbols *, const struct cp_dso_info *);

/*
 * Calls each() for the split files of the object's debug information, which
 * live as long as its other files, and for paths that were not found (elf is
 * NULL); a package has no path.  For bundles, from one thread.
 */
void cp_symbols_splits(struct cp_symbols *, const struct cp_dso_info *,
    void (*each)(void *ctx, const char *path, const struct cp_elf *elf),
    void *ctx);
/* Frees results and reader. */
void cp_object_inlines_free(struct cp_object *);

#endif
