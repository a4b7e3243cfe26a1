/* SPDX-License-Identifier: MIT */
/*
 * symbolize/debuginfod/cache.h: the cache that debuginfod's clients share,
 * ROOT/BUILDID/{executable,debuginfo,source#usr#src#a.c}.
 *
 * An empty file there is a remembered miss of such a client, not ours.
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

/* False: too short to ask for. */
bool cp_dbg_id(struct cp_dbg_id *, const uint8_t *id, size_t size);
/* $DEBUGINFOD_CACHE_PATH or its defaults; NULL: no home.  To free(). */
char *cp_dbgcache_root(void);
/*
 * The path of a source file in it, named as the library of elfutils does it;
 * to free().  NULL: too long for a name.
 */
char *cp_dbgcache_source(
    const char *root, const struct cp_dbg_id *, const char *file);
/* The path of a file in it; to free(). */
char *cp_dbgcache_path(
    const char *root, const struct cp_dbg_id *, enum cp_dbg_kind);

#endif
