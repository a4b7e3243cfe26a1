/* SPDX-License-Identifier: MIT */
/*
 * readers/record/stream.h: a stream of records -> events, whatever happened to
 * it.
 *
 * readers/record/ finds records in a stream and decodes them.  It may use
 * header/ for records that hold attrs and features.  Begin at
 * cp_stream_next(); the layout of each record is in decode.c.
 *
 * Takes compressed records apart, steps over AUX data, and when a record
 * makes no sense looks for the next one that does.  Every byte is counted
 * as parsed or skipped.
 */
#ifndef CP_READERS_RECORD_STREAM_H
#define CP_READERS_RECORD_STREAM_H

#include "readers/record/stream-state.h"

void cp_stream_init(struct cp_stream *, struct cp_recording *,
    struct cp_quality *, struct cp_diags *);
/* 1: an event, 0: the end.  Valid until the next call. */
int cp_stream_next(struct cp_stream *, struct cp_event *);
/*
 * lane.c: takes plain samples from here on into the queue, until something
 * else comes; how many.  Not with a cp_event in hand: its bytes may be gone.
 */
struct cp_order;
uint64_t cp_stream_lane(struct cp_stream *, struct cp_order *);
/* Reads the sample at that offset of the input once more. */
bool cp_stream_again(struct cp_stream *, uint64_t offset, struct cp_event *);
/* After the end: says it if that is not where it should be. */
void cp_stream_ended(struct cp_stream *);
void cp_stream_close(struct cp_stream *);

#endif
