/* SPDX-License-Identifier: MIT */
/*
 * symbolize/file-index/folder-cache.h: a disk cache of the kinds of the files
 * in a --symbols folder, so that they need not be opened again.
 *
 * One file per folder below $XDG_CACHE_HOME/coldperf/index, written whole and
 * renamed.  An entry is valid while path, inode, size and time are unchanged; a
 * damaged cache is ignored and replaced.  It is only a hint: users of a file
 * compare build IDs with the file itself.
 */
#ifndef CP_SYMBOLIZE_FILE_INDEX_FOLDER_CACHE_H
#define CP_SYMBOLIZE_FILE_INDEX_FOLDER_CACHE_H

#include <sys/stat.h>

#include "base/hash.h"
#include "base/manifest.h"
#include "symbolize/file-index/index.h"

struct cp_indexcache {
	char *path; /* NULL: none */
	struct cp_manifest old;
	struct cp_map64 by_path; /* hash -> index of its line + 1 */
	struct cp_buf made;
	size_t files, known;
};

void cp_indexcache_open(struct cp_indexcache *, const char *folder);
/* Fills in kind and build ID if the file is unchanged. */
bool cp_indexcache_get(struct cp_indexcache *, const struct stat *,
    struct cp_arena *, struct cp_indexed *);
void cp_indexcache_put(
    struct cp_indexcache *, const struct stat *, const struct cp_indexed *);
/* Writes the cache if it is worth it and has changed. */
void cp_indexcache_close(struct cp_indexcache *);

#endif
