/* SPDX-License-Identifier: MIT */
/*
 * symbolize/inlines/inline-cache.h: what debug information said about addresses
 * of an object, kept on disk between runs.
 *
 * One file per build ID below $XDG_CACHE_HOME/coldperf/inlines, read as it
 * was mapped and written as a whole.  A file that is not what
 * it should be in any way is as good as none, and so is one of another byte
 * order.  Bounded: see CP_MAX_INLINE_CACHE for one, CP_MAX_INLINE_CACHES for
 * all.
 */
#ifndef CP_SYMBOLIZE_INLINES_INLINE_CACHE_H
#define CP_SYMBOLIZE_INLINES_INLINE_CACHE_H

#include "base/safe-file.h"
#include "base/strings.h"
#include "symbolize/dwarf/answer.h"

struct cp_inlcache;

/* The path of an object's file, malloc'ed; NULL if it cannot have one. */
char *cp_inlcache_path(const uint8_t *id, size_t size);
/* Never NULL; path, which it takes over, need not exist. */
struct cp_inlcache *cp_inlcache_open(char *path);
/* The same from memory, which it takes over; for tests. */
struct cp_inlcache *cp_inlcache_of(struct cp_content);

/*
 * What is at an address, added to frames with ids of texts; false if it is
 * not known.  n may be 0: that there is nothing is known, too.
 */
bool cp_inlcache_get(struct cp_inlcache *, uint64_t addr,
    struct cp_strings *texts, struct cp_dwarf_result *, uint32_t *n);
void cp_inlcache_put(struct cp_inlcache *, uint64_t addr,
    const struct cp_strings *texts, const struct cp_dwarf_frame *, uint32_t n);
/* Writes what was put, with what was there before; whether it did. */
bool cp_inlcache_close(struct cp_inlcache *);

#endif
