/* SPDX-License-Identifier: MIT */
/*
 * base/safe-file.h: opens files safely whose names came from an input.
 *
 * Opens only regular files, and checks that before opening them for reading,
 * because opening a device can have effects.  Never opens files of /proc, /sys
 * or /dev.  Reads no more than the size at that time.
 */
#ifndef CP_BASE_SAFE_FILE_H
#define CP_BASE_SAFE_FILE_H

#include "base/base.h"

struct cp_content {
	const uint8_t *data;
	size_t size;
	bool mapped; /* else malloc'ed */
};

/* A range of bytes in a file. */
struct cp_extent {
	uint64_t offset, size;
};

/* Returns a descriptor, or -1. */
int cp_objfile_open(const char *path);
/* Opens a path below root; neither ".." nor links lead out of root. */
int cp_objfile_open_under(const char *root, const char *path);
/* Maps the file.  False if it is empty or no regular file. */
bool cp_objfile_map(int fd, struct cp_content *out);
/* Maps the file and closes fd, which may be -1. */
bool cp_objfile_take(int fd, struct cp_content *out);
/* Reads at most max bytes.  Works for files without a size too (/proc). */
bool cp_objfile_read(int fd, size_t max, struct cp_content *out);
void cp_content_free(struct cp_content *);

#endif
