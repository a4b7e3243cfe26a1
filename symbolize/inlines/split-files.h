/* SPDX-License-Identifier: MIT */
/*
 * symbolize/inlines/split-files.h: files of split debug information that may be
 * the right ones; see struct cp_dwarf_files.
 */
#ifndef CP_SYMBOLIZE_INLINES_SPLIT_FILES_H
#define CP_SYMBOLIZE_INLINES_SPLIT_FILES_H

#include "symbolize/object/object.h"
#include "symbolize/object/text-files.h"

/* The n-th .dwo of that path; false: there are no more. */
bool cp_split_dwo(
    struct cp_symbols *, const char *path, unsigned n, struct cp_elf *);
/* The n-th package of the object whose debug information is there. */
bool cp_split_dwp(struct cp_symbols *, struct cp_object *,
    const struct cp_elf *debug, unsigned n, struct cp_elf *);

#endif
