/* SPDX-License-Identifier: MIT */
/*
 * base/disk-cache.h: what the caches share: where a file is kept, by what one
 * is known to be the same, and how a file of contents is laid out.
 */
#ifndef CP_BASE_DISK_CACHE_H
#define CP_BASE_DISK_CACHE_H

#include <sys/stat.h>

#include "base/manifest.h"

/*
 * $XDG_CACHE_HOME/coldperf/KIND/ and the sum of the real path, malloc'ed; NULL
 * if there can be none.
 */
char *cp_cachefile_path(const char *kind, const char *of);
/* Beside it, where a file is written until it is whole; -1: it cannot be. */
int cp_cachefile_create(const char *path, char tmp[4200]);
/* Ends that: the file takes its place, or is gone. */
void cp_cachefile_finish(const char *path, const char *tmp, bool whole);
/* Removes files of the folder that path is in, those not used for longest
 * first, until the others have at most max bytes. */
void cp_cachefile_trim(const char *path, uint64_t max);

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
