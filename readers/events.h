/* SPDX-License-Identifier: MIT */
/* readers/events.h: the events of a seekable file. */
#ifndef CP_READERS_EVENTS_H
#define CP_READERS_EVENTS_H

#include "readers/header/header.h"

/*
 * After the header was read: chooses between the two descriptions of events
 * that the file has.  CP_FAIL after a diagnostic if there is none.
 */
int cp_file_events(
    struct cp_capture *, const struct cp_file_header *) CP_MUST_USE;

#endif
