/* SPDX-License-Identifier: MIT */
/*
 * symbolize/inlines/inline-cache.h: results from debug information, cached on
 * disk.
 *
 * One file per build ID and origin below $XDG_CACHE_HOME/coldperf/inlines, read
 * as a mapping and written as a whole.  A build ID alone is no proof of
 * content: the answers of one file are never used for another file with its ID.
 * A file that is damaged or has another byte order is ignored.  Sizes: see
 * CP_MAX_INLINE_CACHE for one file, CP_MAX_INLINE_CACHES for all.
 */
#ifndef CP_SYMBOLIZE_INLINES_INLINE_CACHE_H
#define CP_SYMBOLIZE_INLINES_INLINE_CACHE_H

#include "base/safe-file.h"
#include "base/strings.h"
#include "symbolize/dwarf/answer.h"

struct cp_inlcache;

/*
 * Returns the malloc'ed path of an object's file; NULL: no cache.  The n
 * origins are those of all files that the answers come from.
 */
char *cp_inlcache_path(
    const uint8_t *id, size_t size, const struct cp_origin *from, size_t n);
/* Never NULL.  Takes over path, which need not exist. */
struct cp_inlcache *cp_inlcache_open(char *path);
/* Opens a cache in memory, which it takes over; for tests. */
struct cp_inlcache *cp_inlcache_of(struct cp_content);

/*
 * Finds an address and appends its frames, with ids in texts.  False if the
 * address is not in the cache.  n may be 0: known to have no frames.
 */
bool cp_inlcache_get(struct cp_inlcache *, uint64_t addr,
    struct cp_strings *texts, struct cp_dwarf_result *, uint32_t *n);
void cp_inlcache_put(struct cp_inlcache *, uint64_t addr,
    const struct cp_strings *texts, const struct cp_dwarf_frame *, uint32_t n);
/* Writes old and new entries.  True if the file was written. */
bool cp_inlcache_close(struct cp_inlcache *);

#endif
