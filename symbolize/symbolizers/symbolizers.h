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

#endif
