/* SPDX-License-Identifier: MIT */
/*
 * symbolize/file-index/bundle-cache.h: a disk cache of the useful members of a
 * bundle, so that a second run need not inflate it again.
 *
 * One file per bundle below $XDG_CACHE_HOME/coldperf/bundles: the contents,
 * then a list of the members.  It is valid while path, inode, size and time of
 * the bundle are unchanged; an invalid file is ignored and replaced.  Users of
 * a member still compare build IDs with the member itself.  Size: see
 * CP_BUNDLE_CACHE_MAX.
 */
#ifndef CP_SYMBOLIZE_FILE_INDEX_BUNDLE_CACHE_H
#define CP_SYMBOLIZE_FILE_INDEX_BUNDLE_CACHE_H

#include "symbolize/file-index/index.h"

/* Adds the cached members of the bundle in fd.  False: not cached. */
bool cp_bundlecache_get(
    struct cp_symindex *, int fd, const char *path, bool given);
/* Caches the members that were added from index `first` on, in one spool. */
void cp_bundlecache_put(
    struct cp_symindex *, int fd, const char *path, bool given, size_t first);

#endif
