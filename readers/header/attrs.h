/* SPDX-License-Identifier: MIT */
/* readers/header/attrs.h: the event descriptions of a seekable file. */
#ifndef CP_READERS_HEADER_ATTRS_H
#define CP_READERS_HEADER_ATTRS_H

#include "readers/header/section.h"

/* Reads them, with their ids; mends the place that the header tells. */
int cp_attrs_read(struct cp_capture *, struct cp_file_header *) CP_MUST_USE;

#endif
