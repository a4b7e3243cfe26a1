/* SPDX-License-Identifier: MIT */
/*
 * symbolize/file-index/bundle-cache.h: the members of a bundle that help to
 * name addresses, kept on disk, so that a second run need not inflate it again.
 *
 * One file per bundle below $XDG_CACHE_HOME/coldperf/bundles: the contents as
 * the index has them behind a descriptor, then a list of what they are.  It
 * counts as long as path, inode, size and time of the bundle are the same; one
 * that is not what it should be is ignored and made anew.  Whoever uses a
 * member compares build IDs with the member itself.  Bounded: see
 * CP_BUNDLE_CACHE_MAX.
 */
#ifndef CP_SYMBOLIZE_FILE_INDEX_BUNDLE_CACHE_H
#define CP_SYMBOLIZE_FILE_INDEX_BUNDLE_CACHE_H

#include "symbolize/file-index/index.h"

/* Adds the members of the bundle behind fd, if they are known. */
bool cp_bundlecache_get(
    struct cp_symindex *, int fd, const char *path, bool given);
/* Keeps those that were added last, from `first` on, in one spool. */
void cp_bundlecache_put(
    struct cp_symindex *, int fd, const char *path, bool given, size_t first);

#endif
