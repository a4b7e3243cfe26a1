/* SPDX-License-Identifier: MIT */
/*
 * symbolize/inlines/split-files.h: candidates for files of split debug
 * information; see struct cp_dwarf_files.
 */
#ifndef CP_SYMBOLIZE_INLINES_SPLIT_FILES_H
#define CP_SYMBOLIZE_INLINES_SPLIT_FILES_H

#include "symbolize/object/object.h"
#include "symbolize/object/text-files.h"

/*
 * Opens the n-th candidate for the .dwo of that path.  False: no more. *foreign
 * is set for a file that is not the user's own at its recorded path; answers
 * from it must not be cached for other captures.
 */
bool cp_split_dwo(struct cp_symbols *, const char *path, unsigned n,
    struct cp_elf *, bool *foreign);
/*
 * Opens the n-th candidate for the package of the object with that debug file.
 */
bool cp_split_dwp(struct cp_symbols *, struct cp_object *,
    const struct cp_elf *debug, unsigned n, struct cp_elf *, bool *foreign);

#endif
