/* SPDX-License-Identifier: MIT */
/* readers/events.h: the events of a seekable file. */
#ifndef CP_READERS_EVENTS_H
#define CP_READERS_EVENTS_H

#include "readers/header/header.h"
#include "readers/record/window.h"

/*
 * After the header was read: chooses between the two descriptions of events
 * that the file has, by the records of n windows.  CP_FAIL after a diagnostic
 * if there is none.
 */
int cp_file_events(struct cp_capture *, const struct cp_file_header *,
    struct cp_window *const *, size_t n) CP_MUST_USE;

#endif
