/* SPDX-License-Identifier: MIT */
/* readers/header/attrs.h: the event descriptions of a seekable file. */
#ifndef CP_READERS_HEADER_ATTRS_H
#define CP_READERS_HEADER_ATTRS_H

#include "readers/header/section.h"

/* Is a capture's section of them in the first bytes?  Then where. */
bool cp_attrs_locate(const struct cp_input *, bool swap,
    struct cp_file_span *where, uint64_t *entry_size);
/* Mends their place if nothing that looks like them is there. */
void cp_attrs_place(struct cp_capture *, struct cp_file_header *);
/* Reads them, with their ids; mends the place that the header tells. */
int cp_attrs_read(struct cp_capture *, struct cp_file_header *) CP_MUST_USE;

#endif
