/* SPDX-License-Identifier: MIT */
/*
 * symbolize/symbolizers/symbolizers.h: the places where files and names come
 * from.
 *
 * Each file of this room is one of them, see list.def.  It may use object/,
 * file-index/, debuginfod/, kernel/, symtab/ and elf/; none knows another, but
 * for those that share a text.  Begin in recorded-path.c, the shortest that
 * finds files; capture.c is the shortest that has names.
 */
#ifndef CP_SYMBOLIZE_SYMBOLIZERS_SYMBOLIZERS_H
#define CP_SYMBOLIZE_SYMBOLIZERS_SYMBOLIZERS_H

#include "symbolize/object/object.h"

#define CP_SYMBOLIZER(id) extern const struct cp_symbolizer cp_symbolizer_##id;
#include "symbolize/symbolizers/list.def"
#undef CP_SYMBOLIZER

#endif
