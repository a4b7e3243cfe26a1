/* SPDX-License-Identifier: MIT */
/*
 * readers/header/header.h: the header of a seekable perf.data file.
 *
 * Reads the header, the event descriptions and the features into the
 * recording.  Damage is worked around where the rest of the file tells what
 * must have stood there.
 */
#ifndef CP_READERS_HEADER_HEADER_H
#define CP_READERS_HEADER_HEADER_H

#include "readers/reader.h"

struct cp_file_header {
	uint64_t size, attr_size;
	struct cp_span attrs, data;
	struct cp_span event_types; /* names of events, before 2011 */
	uint64_t features[4];
	bool swap;
	bool old; /* 72 bytes: no features */
	bool cut; /* the file ends before its data should */
};

/* Is it a seekable perf.data file at all? */
bool cp_file_header_bid(const struct cp_input *);
/*
 * Fills *h with offsets that were checked against the file; h->data is what
 * is to be walked.  CP_FAIL if no event description can be had.
 */
int cp_file_header_read(
    struct cp_capture *, struct cp_file_header *h) CP_MUST_USE;

/* attrs.c */
int cp_attrs_read(struct cp_capture *, struct cp_file_header *) CP_MUST_USE;

/* The section's bytes, or NULL after a diagnostic; free() them. */
uint8_t *cp_section_read(
    struct cp_capture *, struct cp_span, uint64_t limit, enum cp_diag_id);

#endif
