/* SPDX-License-Identifier: MIT */
/*
 * symbolize/debuginfod/cache.h: the cache that all debuginfod clients share,
 * ROOT/BUILDID/{executable,debuginfo,source##usr##src##a.c}.
 *
 * An empty file in it records a miss of another client.  We do not use these.
 */
#ifndef CP_SYMBOLIZE_DEBUGINFOD_CACHE_H
#define CP_SYMBOLIZE_DEBUGINFOD_CACHE_H

#include "base/base.h"

enum cp_dbg_kind { CP_DBG_EXECUTABLE, CP_DBG_DEBUGINFO, CP_DBG_KINDS };

extern const char *const cp_dbg_kind_names[CP_DBG_KINDS];

struct cp_dbg_id {
	char hex[41];
	uint8_t id[20];
	uint8_t size; /* without padding */
};

/* False: the ID is too short to ask for. */
bool cp_dbg_id(struct cp_dbg_id *, const uint8_t *id, size_t size);
/* Returns $DEBUGINFOD_CACHE_PATH or its default, malloc'ed; NULL: no home. */
char *cp_dbgcache_root(void);
/*
 * Returns the malloc'ed path of a source file, named as elfutils 0.188
 * names it: others find it, and no two files share a name.
 * NULL: too long for a file name.
 */
char *cp_dbgcache_source(
    const char *root, const struct cp_dbg_id *, const char *file);
/* Returns the malloc'ed path of an ELF file. */
char *cp_dbgcache_path(
    const char *root, const struct cp_dbg_id *, enum cp_dbg_kind);

#endif
