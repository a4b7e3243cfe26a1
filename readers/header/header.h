/* SPDX-License-Identifier: MIT */
/*
 * readers/header/header.h: the header of a seekable perf.data file.
 *
 * readers/header/ reads the description of a recording: header, attrs,
 * features, formats of tracepoints.  It may use the files directly in readers/
 * (reader.h, input, record-head, byte-account).  Begin here; features are in
 * the table of features.c.
 *
 * Reads the header, the event descriptions and the features into the recording.
 * A damaged part is repaired if the rest of the file shows its original value.
 */
#ifndef CP_READERS_HEADER_HEADER_H
#define CP_READERS_HEADER_HEADER_H

#include "readers/header/section.h"

/*
 * Is the input a seekable perf.data file?  0: no; a higher value is more
 * certain.
 */
int cp_file_header_bid(const struct cp_input *);
/*
 * Fills *h with offsets that were checked against the file; h->data is the
 * section of records to read.  CP_FAIL if the file ends in its header.
 */
int cp_file_header_read(
    struct cp_capture *, struct cp_file_header *h) CP_MUST_USE;

#endif
