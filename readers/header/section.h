/* SPDX-License-Identifier: MIT */
/*
 * readers/header/section.h: the fields of a file's header, and access to the
 * bytes of its sections.
 */
#ifndef CP_READERS_HEADER_SECTION_H
#define CP_READERS_HEADER_SECTION_H

#include "readers/reader.h"

struct cp_file_header {
	uint64_t size, attr_size;
	struct cp_file_span attrs, data;
	/* names of events; not used since 2011 */
	struct cp_file_span event_types;
	struct cp_file_span build_ids; /* the feature; size 0: none */
	uint64_t features[4];
	bool swap;
	bool guessed; /* its magic is damaged */
	bool old;     /* 72 bytes: no features */
	bool cut;     /* the file ends before its data should */
	bool shifted; /* the parts after the data are not at their place */
	bool ids;     /* the ids of events were looked for */
};

/*
 * Returns the section's bytes, which the caller frees, or NULL after a
 * diagnostic.
 */
uint8_t *cp_section_read(
    struct cp_capture *, struct cp_file_span, uint64_t limit, enum cp_diag_id);

#endif
