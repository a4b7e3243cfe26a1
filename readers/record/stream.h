/* SPDX-License-Identifier: MIT */
/*
 * readers/record/stream.h: a stream of records -> events, whatever happened to
 * it.
 *
 * Takes compressed records apart, steps over AUX data, and when a record
 * makes no sense looks for the next one that does.  Every byte is counted
 * as parsed or skipped.
 */
#ifndef CP_READERS_RECORD_STREAM_H
#define CP_READERS_RECORD_STREAM_H

#include "model/event.h"
#include "model/recording.h"
#include "readers/record/decode.h"
#include "readers/record/window.h"

struct ZSTD_DCtx_s;

struct cp_stream {
	struct cp_window outer; /* the file's bytes */
	struct cp_window inner; /* what was decompressed */
	struct ZSTD_DCtx_s *zstd;
	bool zstd_lost;     /* until the next frame starts */
	uint64_t flush_end; /* of COMPRESSED2 records of one wrapped size */
	struct cp_recording *rec;
	struct cp_diags *diags;
	struct cp_quality *quality;
	bool swap;
	bool pipe; /* trailing text is not damage */
	bool cut;  /* the header promised more: said already */
	uint32_t source;
	uint64_t number;      /* records so far */
	uint64_t last_time;   /* of the last sample; CP_NO_TIME */
	uint64_t time_before; /* of the sample before that */
	bool in_gap;          /* since last_time bytes were skipped */
	bool aux;             /* the capture has AUX data */
	uint8_t *reread;      /* of cp_stream_again(); NULL: none yet */
};

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

/* salvage.c: does a record start inside of the next n bytes? */
bool cp_stream_hides(struct cp_stream *, struct cp_window *, size_t n);
/* Steps to the next record that makes sense, or to the end. */
void cp_stream_resync(struct cp_stream *, struct cp_window *);

/* compressed.c: inflates a COMPRESSED or COMPRESSED2 record into inner. */
int cp_stream_inflate(struct cp_stream *, const uint8_t *, size_t n);
/*
 * Is this COMPRESSED2 record of a flush whose size did not fit?  Then *h gets
 * the record's true size, which need not be a multiple of 8.
 */
bool cp_stream_unwrap(
    struct cp_stream *, struct cp_window *, struct cp_record_head *);

/* control.c: records that describe the recording itself. */
void cp_stream_control(struct cp_stream *, const struct cp_event *);

#endif
