/* SPDX-License-Identifier: MIT */
/* readers/header/ids.h: the ids of the events of a seekable file. */
#ifndef CP_READERS_HEADER_IDS_H
#define CP_READERS_HEADER_IDS_H

#include "readers/header/section.h"

typedef CP_VEC(struct cp_file_span) cp_spans;

/* Reads the ids of each event; corrects offsets that make no sense. */
void cp_ids_read(
    struct cp_capture *, const struct cp_file_header *, cp_spans *);
/* When all ids are known: finds the event for samples whose id belongs to none.
 */
void cp_ids_complete(struct cp_capture *, const struct cp_file_header *);

#endif
