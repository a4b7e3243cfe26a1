/* SPDX-License-Identifier: MIT */
/*
 * base/safe-file.h: files whose names came from an input, opened safely.
 *
 * Only regular files are opened, found to be such before they are opened for
 * reading (opening a device can have effects), and never those of /proc, /sys
 * or /dev.  What is read is bounded by the size at that time.
 */
#ifndef CP_BASE_SAFE_FILE_H
#define CP_BASE_SAFE_FILE_H

#include "base/base.h"

struct cp_content {
	const uint8_t *data;
	size_t size;
	bool mapped; /* else malloc'ed */
};

/* A part of a file. */
struct cp_extent {
	uint64_t offset, size;
};

/* A descriptor, or -1. */
int cp_objfile_open(const char *path);
/* The same below a folder: neither ".." nor links lead out of it. */
int cp_objfile_open_under(const char *root, const char *path);
/* Maps the file; false if it is empty or no regular file. */
bool cp_objfile_map(int fd, struct cp_content *out);
/* The same, and closes fd; -1 is allowed. */
bool cp_objfile_take(int fd, struct cp_content *out);
/* Reads at most max bytes, of a file that has no size too (/proc). */
bool cp_objfile_read(int fd, size_t max, struct cp_content *out);
void cp_content_free(struct cp_content *);

#endif
