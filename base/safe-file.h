/* SPDX-License-Identifier: MIT */
/*
 * base/safe-file.h: opens files safely whose names came from an input.
 *
 * Opens only regular files, and checks that before opening them for reading,
 * because opening a device can have effects.  Never opens files of /proc, /sys
 * or /dev.  Reads no more than the size at that time.
 *
 * A file that shrinks while it is mapped does not end the process: the missing
 * part reads as zeros (file-map.h).  A file that another user may write to is
 * copied, not mapped, so that no byte changes after it was checked.
 */
#ifndef CP_BASE_SAFE_FILE_H
#define CP_BASE_SAFE_FILE_H

#include "base/base.h"
#include "base/inflated.h"

/*
 * The origin of bytes, which names a cache of answers made from them.  It
 * contains the change time, which nobody can set, so changed bytes at the same
 * path have another origin.  All 0: not known.
 */
struct cp_origin {
	uint64_t device, inode, size, modified[2], changed[2];
	uint64_t offset; /* of a member in what a bundle unpacks to */
	bool ours; /* a file by itself that root or the user alone writes */
};

struct cp_content {
	const uint8_t *data;
	size_t size;
	bool mapped; /* else malloc'ed */
	struct cp_origin from;
	struct cp_inflated inflated; /* the claim for it, or none */
};

/* A range of bytes in a file. */
struct cp_extent {
	uint64_t offset, size;
};

/* Returns a descriptor, or -1 and errno: ENOENT if no regular file is there. */
int cp_objfile_open(const char *path);
/*
 * Opens a path that an input names.  No automount is set off, and no file
 * system of another machine is entered (EREMOTE), unless / is one.
 */
int cp_objfile_open_recorded(const char *path);
/*
 * Opens a file that anybody may have put there, as in /tmp.  It must be the
 * user's or root's, writable by nobody else, and no link (EPERM, ELOOP).
 */
int cp_objfile_open_own(const char *path);
/* Was a file not opened because too many are open?  It may pass for missing. */
bool cp_objfile_ran_out(void);
/* Does errno after these functions mean anything but a missing file? */
bool cp_objfile_was_refused(int error);
struct stat;
struct cp_origin cp_origin_of(const struct stat *);
/* Opens a path below root; neither ".." nor links lead out of root. */
int cp_objfile_open_under(const char *root, const char *path);
/* Maps or copies the file.  False if it is empty or no regular file. */
bool cp_objfile_map(int fd, struct cp_content *out);
/* Maps a part of a file of our own. */
bool cp_objfile_map_part(int fd, struct cp_extent, struct cp_content *out);
/* Maps the file and closes fd, which may be -1. */
bool cp_objfile_take(int fd, struct cp_content *out);
/* Reads at most max bytes.  Works for files without a size too (/proc). */
bool cp_objfile_read(int fd, size_t max, struct cp_content *out);
void cp_content_free(struct cp_content *);
/* Takes bytes of a mapped file out of memory; they are read again if used. */
void cp_content_unload(
    const struct cp_content *, const void *from, const void *to);

/* False if a part that was read is gone from its file. */
bool cp_content_is_whole(const struct cp_content *);

#endif
