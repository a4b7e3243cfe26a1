/* SPDX-License-Identifier: MIT */
/* readers/rewrite/repair-record.h: which records perf 6.1 can read. */
#ifndef CP_READERS_REWRITE_REPAIR_RECORD_H
#define CP_READERS_REWRITE_REPAIR_RECORD_H

#include "model/event.h"
#include "model/evsel.h"

/* TID, TIME, ID, STREAM_ID, CPU and IDENTIFIER */
enum { CP_REPAIR_TRAILER = 48 };

/* perf ends at a record whose type, size or ids it does not know. */
bool cp_repair_perf_has(const struct cp_evsels *, const struct cp_event *);
/* May zeros be added to its content? */
bool cp_repair_ends_in_text(const struct cp_event *);
/* Is there an id in the record's trailer that no event has? */
bool cp_repair_foreign(const struct cp_evsels *, const struct cp_event *);
/* The bytes of the trailer with ids, at the record's end; 0: it has none. */
uint32_t cp_repair_trailer(const struct cp_evsels *, const struct cp_event *);
/*
 * The bytes of the trailer that the record should have, but has no room for.
 * perf reads what stands at the record's end as the trailer.
 */
uint32_t cp_repair_trailer_lacking(
    const struct cp_evsels *, const struct cp_event *);

#endif
