/* SPDX-License-Identifier: MIT */
/*
 * readers/header/header.h: the header of a seekable perf.data file.
 *
 * readers/header/ reads what describes a recording: header, attrs, features,
 * formats of tracepoints.  It may use what lies in readers/ for all rooms
 * (reader.h, input, record-head, byte-account).  Begin here; features are in
 * the table of features.c.
 *
 * Reads the header, the event descriptions and the features into the
 * recording.  Damage is worked around where the rest of the file tells what
 * must have stood there.
 */
#ifndef CP_READERS_HEADER_HEADER_H
#define CP_READERS_HEADER_HEADER_H

#include "readers/header/section.h"

/* Is it a seekable perf.data file at all?  0: no; the higher, the surer. */
int cp_file_header_bid(const struct cp_input *);
/*
 * Fills *h with offsets that were checked against the file; h->data is what
 * is to be walked.  CP_FAIL if no event description can be had.
 */
int cp_file_header_read(
    struct cp_capture *, struct cp_file_header *h) CP_MUST_USE;

#endif
