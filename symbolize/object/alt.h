/* SPDX-License-Identifier: MIT */
/*
 * symbolize/object/alt.h: the file to which dwz moved what debug files of
 * several objects share.
 */
#ifndef CP_SYMBOLIZE_OBJECT_ALT_H
#define CP_SYMBOLIZE_OBJECT_ALT_H

#include "model/dso.h"
#include "symbolize/elf/elf-file.h"

struct cp_symbols;

/* The supplementary file of the debug file (dwz): .gnu_debugaltlink. */
const struct cp_elf *cp_symbols_alt(
    struct cp_symbols *, const struct cp_dso_info *);
/*
 * The size of the supplementary file's build ID, if that file is not found, of
 * an object or of a debug file.  0: none is needed, or it is found.
 */
size_t cp_symbols_missing_alt(
    struct cp_symbols *, const struct cp_dso_info *, uint8_t id[20]);
size_t cp_symbols_missing_alt_of(
    struct cp_symbols *, const char *debug_file, uint8_t id[20]);

#endif
