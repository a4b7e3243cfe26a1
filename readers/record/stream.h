/* SPDX-License-Identifier: MIT */
/*
 * readers/record/stream.h: a stream of records -> events, even if it is
 * damaged.
 *
 * readers/record/ finds records in a stream and decodes them.  It may use
 * header/ for records that hold attrs and features.  Begin at cp_stream_next();
 * the layout of each record is in decode.c.
 *
 * Unpacks compressed records and steps over AUX data.  After a record that
 * makes no sense it looks for the next one that does.  Every byte is counted as
 * parsed or skipped.
 */
#ifndef CP_READERS_RECORD_STREAM_H
#define CP_READERS_RECORD_STREAM_H

#include "readers/record/stream-state.h"
#include "model/recording.h"
#include "readers/record/window.h"

void cp_stream_init(struct cp_stream *, struct cp_recording *,
    struct cp_quality *, struct cp_diags *);
/* Returns 1 and an event, valid until the next call, or 0 at the end. */
int cp_stream_next(struct cp_stream *, struct cp_event *);
/*
 * lane.c: puts plain samples directly into the queue until something else
 * comes; returns how many.  Without a queue those that cannot have a path are
 * passed over.  The bytes of the last cp_event may be gone afterwards.
 */
struct cp_order;
uint64_t cp_stream_lane(struct cp_stream *, struct cp_order *);
/* Reads the sample at that offset of the input again. */
bool cp_stream_again(struct cp_stream *, uint64_t offset, struct cp_event *);
/*
 * Reports a stream that ended early: changed file, read error, bytes missing.
 */
void cp_stream_ended(struct cp_stream *);
void cp_stream_close(struct cp_stream *);

/* trial.c: which copy of the event descriptions is right?. */

/*
 * Compares the events with their copy in EVENT_DESC.  If events differ, and
 * more records of the n windows agree with the copy, it takes the place of all
 * events; else ids that only the copy has are added.  A difference gives a
 * diagnostic at `offset`; if nothing was done about it, only the last
 * comparison does.  The windows do not step.
 */
void cp_trial(struct cp_recording *, struct cp_window *const *, size_t n,
    bool last, struct cp_diags *, uint64_t offset);

#endif
