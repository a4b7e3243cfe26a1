/* SPDX-License-Identifier: MIT */
/*
 * symbolize/object/text-files.h: what --symbols and bundles hold beside object
 * files, for those who read it: perf maps, jitdumps.
 *
 * A path that is returned here may be that of a member in a bundle: it is text
 * for the user, and for cp_text_file_read(), which knows both.  Safe to call
 * from workers.
 */
#ifndef CP_SYMBOLIZE_OBJECT_TEXT_FILES_H
#define CP_SYMBOLIZE_OBJECT_TEXT_FILES_H

#include "base/safe-file.h"
#include "base/vec.h"

struct cp_symbols;

/* In the order to try; texts live as long as the symbols. */
typedef CP_VEC(const char *) cp_paths;

/* Adds the perf maps whose file name is `name` (NULL: all), each once. */
void cp_text_file_perf_maps(struct cp_symbols *, const char *name, cp_paths *);
/* The same for jitdumps. */
void cp_text_file_jitdumps(struct cp_symbols *, const char *name, cp_paths *);
/*
 * A copy, which may be written to, of at most max bytes of a file of this
 * machine or of a member that was returned above.
 */
bool cp_text_file_read(
    struct cp_symbols *, const char *path, size_t max, struct cp_content *out);

/* Is it a member of a bundle, and no path? */
bool cp_text_file_is_member(struct cp_symbols *, const char *path);

/* The same behind a descriptor, or -1. */
int cp_text_file_open(struct cp_symbols *, const char *path);

#endif
