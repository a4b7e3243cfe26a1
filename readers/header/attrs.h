/* SPDX-License-Identifier: MIT */
/* readers/header/attrs.h: the event descriptions of a seekable file. */
#ifndef CP_READERS_HEADER_ATTRS_H
#define CP_READERS_HEADER_ATTRS_H

#include "readers/header/section.h"

/*
 * Is the section of attrs in the first bytes of the capture?  If so, sets
 * *where and *entry_size.
 */
bool cp_attrs_locate(const struct cp_input *, bool swap,
    struct cp_file_span *where, uint64_t *entry_size);
/*
 * Corrects the section's place in the header if there are no attrs at that
 * place.
 */
void cp_attrs_place(struct cp_capture *, struct cp_file_header *);
/* Reads the attrs and their ids; corrects the place that the header gives. */
void cp_attrs_read(struct cp_capture *, struct cp_file_header *);

#endif
