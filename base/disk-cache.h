/* SPDX-License-Identifier: MIT */
/*
 * base/disk-cache.h: functions that all disk caches share: the path of a file,
 * writing a file safely, recognizing an unchanged original, the layout of a
 * file with contents and a list, and the limit on disk space.
 */
#ifndef CP_BASE_DISK_CACHE_H
#define CP_BASE_DISK_CACHE_H

#include <sys/stat.h>

#include "base/manifest.h"

/* Returns $XDG_CACHE_HOME/coldperf/NAME, malloc'ed; NULL without a home. */
char *cp_cachefile_in(const char *name);
/* Returns the path in folder `kind`, named by the hash of of's real path. */
char *cp_cachefile_path(const char *kind, const char *of);
/* Makes the missing folders above the path, for this user only. */
void cp_cachefile_folders(const char *path);
/*
 * Creates a temporary file in the path's folder, and the folders.  A cache file
 * is written under that name until it is complete.  Returns -1 on failure.
 */
int cp_cachefile_create(const char *path, char tmp[4200]);
/* Renames the finished file to path if it is whole, else removes it. */
bool cp_cachefile_finish(const char *path, const char *tmp, bool whole);
/* Creates, writes n bytes and finishes. */
bool cp_cachefile_put(const char *path, const void *, size_t n);
/* Removes what runs that were killed left of this file, a day later. */
void cp_cachefile_left(const char *path);
/*
 * Removes the least recently used files of a folder and of its folders "00" to
 * "ff", until the rest has at most max bytes.  Only files with names of a
 * cache, hexadecimal digits, are touched, and what killed runs left of them is
 * removed in any case.
 */
void cp_cachefile_trim(const char *folder, uint64_t max);
/* Trims the folder of that kind. */
void cp_cachefile_bound(const char *kind, uint64_t max);

/* The properties by which a file is taken to be unchanged. */
struct cp_identity {
	char inode[24], size[24], time[96]; /* of change, too */
};
struct cp_identity cp_identity_of(const struct stat *);

/* The last line of a text: the SHA-256 of all lines before it. */
enum { CP_SUM_LINE = 4 + 64 + 1 }; /* "sum\t" 64 digits "\n" */
void cp_sum_line(const void *text, size_t n, char out[CP_SUM_LINE + 1]);
bool cp_sum_is_right(const void *text, size_t n);

/*
 * Layout of a cache file: contents of `size` bytes, a list, a line with the
 * contents' checksum, one with the list's, and the length of list and checksums
 * as 16 hexadecimal digits and a newline.  The list has the syntax of
 * base/manifest.h.  Reading verifies both checksums.
 */
bool cp_cachefile_read(int fd, const char *magic, size_t max,
    struct cp_manifest *list, uint64_t *size);
/* Copies the contents from the start of another file, then adds the list. */
bool cp_cachefile_write(int fd, int from, uint64_t size, struct cp_buf *list);

#endif
