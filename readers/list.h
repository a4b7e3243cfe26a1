/* SPDX-License-Identifier: MIT */
/* readers/list.h: opens a capture, whatever its container. */
#ifndef CP_READERS_LIST_H
#define CP_READERS_LIST_H

#include "readers/reader.h"

/*
 * Opens path with the reader that fits.  keeps: puts the capture of a bundle
 * into the disk cache for the next run.  CP_FAIL after a diagnostic.
 */
int cp_capture_open(struct cp_capture *, const char *path, bool keeps,
    struct cp_recording *, struct cp_quality *, struct cp_diags *) CP_MUST_USE;
/*
 * tables: also opens a snapshot without records.  Then only_tables is set, and
 * there are no events.
 */
int cp_capture_open_any(struct cp_capture *, const char *path, bool keeps,
    bool tables, struct cp_recording *, struct cp_quality *,
    struct cp_diags *) CP_MUST_USE;
/* Opens a file that has no name, which it then owns; path is for messages. */
int cp_capture_adopt(struct cp_capture *, int fd, const char *path,
    struct cp_recording *, struct cp_quality *, struct cp_diags *) CP_MUST_USE;

#endif
