/* SPDX-License-Identifier: MIT */
/*
 * symbolize/file-index/lookup.h: finds files by build ID or name.  The first
 * look-up builds the index.
 */
#ifndef CP_SYMBOLIZE_FILE_INDEX_LOOKUP_H
#define CP_SYMBOLIZE_FILE_INDEX_LOOKUP_H

#include "symbolize/file-index/index.h"

/* The first file with that build ID; then the next one, or NULL. */
const struct cp_indexed *cp_symindex_id(
    struct cp_symindex *, const uint8_t *id, size_t size);
const struct cp_indexed *cp_symindex_id_next(const struct cp_symindex *,
    const struct cp_indexed *, const uint8_t *id, size_t size);

/* The ELF files without a build ID whose path ends in that name. */
const struct cp_indexed *cp_symindex_named(
    struct cp_symindex *, const char *name);
const struct cp_indexed *cp_symindex_named_next(
    const struct cp_symindex *, const struct cp_indexed *, const char *name);
/* Returns an ELF file of that name that has some build ID, or NULL. */
const struct cp_indexed *cp_symindex_namesake(
    struct cp_symindex *, const char *name);

#endif
