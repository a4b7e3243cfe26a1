/* SPDX-License-Identifier: MIT */
/*
 * base/disk-cache.h: what all caches on disk share: where a file is kept,
 * how it is written, by what one is known to be the same, how a file of
 * contents is laid out, and how much room all of them may take.
 */
#ifndef CP_BASE_DISK_CACHE_H
#define CP_BASE_DISK_CACHE_H

#include <sys/stat.h>

#include "base/manifest.h"

/* $XDG_CACHE_HOME/coldperf/NAME, malloc'ed; NULL if there can be none. */
char *cp_cachefile_in(const char *name);
/* In the folder of that kind, named by the sum of the real path; the same. */
char *cp_cachefile_path(const char *kind, const char *of);
/*
 * A file is written under another name in the same folder until it is whole.
 * Makes that file, and the folders on the way; -1: it cannot be.
 */
int cp_cachefile_create(const char *path, char tmp[4200]);
/* Ends that: the file takes its place (true), or is gone. */
bool cp_cachefile_finish(const char *path, const char *tmp, bool whole);
/* All of that, for n bytes. */
bool cp_cachefile_put(const char *path, const void *, size_t n);
/*
 * Removes the files of a folder, and of its folders "00" to "ff", that were
 * not used for longest, until the others have at most max bytes.  Only names
 * that a cache's files have are looked at: hexadecimal digits.
 */
void cp_cachefile_trim(const char *folder, uint64_t max);
/* The same of the folder of that kind. */
void cp_cachefile_bound(const char *kind, uint64_t max);

/* What must be the same for a file to be the one it was. */
struct cp_identity {
	char inode[24], size[24], time[48];
};
struct cp_identity cp_identity_of(const struct stat *);

/* The last line of a text: the sum of all before it. */
enum { CP_SUM_LINE = 4 + 64 + 1 }; /* "sum\t" 64 digits "\n" */
void cp_sum_line(const void *text, size_t n, char out[CP_SUM_LINE + 1]);
bool cp_sum_is_right(const void *text, size_t n);

/*
 * Contents of `size` bytes, then a list, its sum, and the length of both in 16
 * hexadecimal digits with a newline.  The list is a text as manifests are.
 */
bool cp_cachefile_read(int fd, const char *magic, size_t max,
    struct cp_manifest *list, uint64_t *size);
/* The contents come from the start of another file; adds to the list. */
bool cp_cachefile_write(int fd, int from, uint64_t size, struct cp_buf *list);

#endif
