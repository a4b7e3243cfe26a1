/* SPDX-License-Identifier: MIT */
/*
 * symbolize/symbolizers/symbolizers.h: places with files and sources of names.
 *
 * Each file of this room is one symbolizer, see list.def.  It may use object/,
 * file-index/, debuginfod/, kernel/, symtab/ and elf/; none uses another,
 * except that some share a text.  Begin in recorded-path.c, the shortest that
 * finds files; capture.c is the shortest with names.
 */
#ifndef CP_SYMBOLIZE_SYMBOLIZERS_SYMBOLIZERS_H
#define CP_SYMBOLIZE_SYMBOLIZERS_SYMBOLIZERS_H

#include "symbolize/object/object.h"

#define CP_SYMBOLIZER(id) extern const struct cp_symbolizer cp_symbolizer_##id;
#include "symbolize/symbolizers/list.def"
#undef CP_SYMBOLIZER

/* capture.c: symbols in the capture itself. */

/* Loads the symbols that the capture has for the dso. */
bool cp_object_load_captured(struct cp_symbols *, struct cp_object *);

/* jitdump.c: names and lines of JIT code from a jitdump. */

/* Finds file and line of an address, in the object's arena; NULL: unknown. */
const struct cp_spot *cp_object_jit_spot(
    struct cp_symbols *, struct cp_object *, uint64_t addr);

#endif
