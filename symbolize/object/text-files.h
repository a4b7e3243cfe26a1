/* SPDX-License-Identifier: MIT */
/*
 * symbolize/object/text-files.h: texts in --symbols and bundles: perf maps,
 * jitdumps.
 *
 * A returned path may be that of a bundle's member: it is only for messages and
 * for cp_text_file_read(), which handles both.  Safe to call from workers.
 */
#ifndef CP_SYMBOLIZE_OBJECT_TEXT_FILES_H
#define CP_SYMBOLIZE_OBJECT_TEXT_FILES_H

#include "base/safe-file.h"
#include "base/vec.h"

struct cp_symbols;

/* In the order to try; the strings live as long as the symbols. */
typedef CP_VEC(const char *) cp_paths;

bool cp_paths_have(const cp_paths *, const char *path);

/* Adds the perf maps with that file name (NULL: all), each once. */
void cp_text_file_perf_maps(struct cp_symbols *, const char *name, cp_paths *);
/* Adds jitdumps in the same way. */
void cp_text_file_jitdumps(struct cp_symbols *, const char *name, cp_paths *);
/*
 * Returns a writable copy of at most max bytes of a file on disk or of a member
 * returned above.  A file that is neither a member nor below a path of
 * --symbols must be the user's own or root's, see cp_objfile_open_own().
 * False: errno is the reason, or 0.
 */
bool cp_text_file_read(
    struct cp_symbols *, const char *path, size_t max, struct cp_content *out);

/* True if the path is that of a bundle's member. */
bool cp_text_file_is_member(struct cp_symbols *, const char *path);

/* Opens such a file; -1: failed. */
int cp_text_file_open(struct cp_symbols *, const char *path);
/*
 * Opens the process's jitdump in a snapshot; -1: none.  *path: its original
 * path.
 */
int cp_text_file_recorded(
    struct cp_symbols *, const char *recorded, uint32_t pid, const char **path);
/* Returns the reason of an error in words; NULL: the file does not exist. */
const char *cp_text_file_why(int error);

#endif
