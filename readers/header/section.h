/* SPDX-License-Identifier: MIT */
/*
 * readers/header/section.h: what the header of a file says, and the bytes of
 * one of the sections that it tells the places of.
 */
#ifndef CP_READERS_HEADER_SECTION_H
#define CP_READERS_HEADER_SECTION_H

#include "readers/reader.h"

struct cp_file_header {
	uint64_t size, attr_size;
	struct cp_file_span attrs, data;
	struct cp_file_span event_types; /* names of events, before 2011 */
	uint64_t features[4];
	bool swap;
	bool guessed; /* its magic is damaged */
	bool old;     /* 72 bytes: no features */
	bool cut;     /* the file ends before its data should */
};

/* The section's bytes, or NULL after a diagnostic; free() them. */
uint8_t *cp_section_read(
    struct cp_capture *, struct cp_file_span, uint64_t limit, enum cp_diag_id);

#endif
