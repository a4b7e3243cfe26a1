/* SPDX-License-Identifier: MIT */
/*
 * readers/record/stream-state.h: the state that the parts of a stream share.
 *
 * stream.c reads one record after the other and calls the other parts.
 */
#ifndef CP_READERS_RECORD_STREAM_STATE_H
#define CP_READERS_RECORD_STREAM_STATE_H

#include "model/event.h"
#include "model/recording.h"
#include "readers/record/decode.h"
#include "readers/record/window.h"

struct ZSTD_DCtx_s;

struct cp_stream {
	struct cp_window outer; /* the file's bytes */
	struct cp_window inner; /* decompressed bytes */
	struct ZSTD_DCtx_s *zstd;
	struct cp_vouch *vouch; /* of vouch.c; NULL: none yet */
	/* damage was proved in this zstd frame: see vouch.c */
	bool doubt;
	/* a frame after damage: its first bytes may be half a record */
	bool anew;
	bool zstd_lost;    /* nothing can be inflated until the next frame */
	size_t zstd_wants; /* bytes that zstd wants next */
	/* end of a flush whose COMPRESSED2 records have a wrapped size */
	uint64_t flush_end;
	struct cp_recording *rec;
	struct cp_diags *diags;
	struct cp_quality *quality;
	bool swap;
	bool pipe; /* text after the records is not damage */
	/* of a pipe: the last record describes the recording */
	bool describes;
	/* of a pipe: when its EVENT_DESC is compared with the attrs */
	enum { CP_NEVER, CP_AFTER_ATTRS, CP_AT_SAMPLES } compare;
	bool cut;     /* a truncated end was reported already */
	bool shifted; /* bytes may be missing or too many: any alignment */
	uint32_t source;
	uint64_t number;      /* records so far */
	uint64_t last_time;   /* time of the last sample, or CP_NO_TIME */
	uint64_t time_before; /* of the sample before that */
	bool in_gap;          /* bytes were skipped since last_time */
	bool aux;             /* the capture has AUX data */
	bool odd;             /* sizes of records need not be multiples of 8 */
	uint32_t slack;       /* bytes after the fields of samples; 0: none */
	uint8_t *reread;      /* of cp_stream_again(); NULL: none yet */
	uint8_t *leads;       /* of look-through.c; NULL: none yet */
	uint8_t *kept;        /* of mend.c; NULL: none yet */
	size_t kept_size;     /* bytes kept */
	uint64_t resynced;    /* bytes up to the record found last */
	bool plain;           /* samples came outside of compressed records */
	/* salvage.c also searches outside of compressed records */
	bool searched;
};

/* salvage.c: what could be a record. */
enum cp_verdict {
	CP_NO_RECORD,
	CP_CUT, /* a record's header, but the rest is not in view */
	CP_PERHAPS,
	CP_SURELY,
};
/* fits.c: can there be such a task?  All ones: one that has ended. */
bool cp_stream_task_exists(uint32_t pid, uint32_t tid);
/* True if the event has no CPU, or one that the machine can have. */
bool cp_stream_cpu_exists(const struct cp_stream *, const struct cp_event *);
/* True if the event's id is 0 or of a known event, or ids are not known. */
bool cp_stream_id_known(const struct cp_stream *, const struct cp_event *);
/* True if the event's CPU, id and time fit the rest of the capture. */
bool cp_stream_fits(const struct cp_stream *, const struct cp_event *);
/* True if the record's header makes sense. */
bool cp_stream_plausible(
    const struct cp_stream *, const struct cp_record_head *);
/* Judges a whole record by its header and content. */
enum cp_verdict cp_stream_judge(
    const struct cp_stream *, const uint8_t *, const struct cp_record_head *);
/*
 * Judges the record at the start of `left` bytes in view; ended: no bytes
 * follow these.
 */
enum cp_verdict cp_stream_record_at(
    const struct cp_stream *, const uint8_t *, size_t left, bool ended);
/* Returns the alignment of records in bytes. */
size_t cp_stream_grain(const struct cp_stream *);
/* Steps to the next record that makes sense, or to the end. */
void cp_stream_resync(struct cp_stream *, struct cp_window *);

/*
 * mend.c: _keep() copies the damaged bytes at the window's start.  Once the
 * next record was found, _mend() tests if they are a record of which only the
 * size or the end of its text is wrong.  It returns that record in *ev and what
 * was done but for the size, or NULL.
 */
void cp_stream_keep(struct cp_stream *, struct cp_window *);
const char *cp_stream_mend(
    struct cp_stream *, const struct cp_window *, struct cp_event *);

/* True if the 16 bytes at p are zero, so that no record starts there. */
static inline bool
cp_stream_zeros(const uint8_t *p, size_t left)
{
	return left >= 16 && cp_load64(p, false) == 0 &&
	       cp_load64(p + 8, false) == 0;
}

/*
 * neighbours.c: is the next record, a sample that is far in time from the last
 * one, another record in all but its type?
 */
bool cp_stream_disguised(
    struct cp_stream *, struct cp_window *, const struct cp_record_head *);
/*
 * neighbours.c: is the next record, decoded as the event, a sample in all but
 * its type?  The verdict is that of its content as it is.  The window may
 * move.
 */
bool cp_stream_retyped(struct cp_stream *, struct cp_window *,
    const struct cp_record_head *, const struct cp_event *, enum cp_decoded);
/*
 * neighbours.c: is the record of a type not known, and do its last words not
 * fit the trailer that all of the kernel's have?
 */
bool cp_stream_trailerless(const struct cp_stream *, const struct cp_event *);
/* Most ns between neighbours in a stream, except at gaps. */
#define CP_SAMPLE_NEAR (UINT64_C(60) * 1000000000)
static inline bool
cp_stream_far(uint64_t time, uint64_t last)
{
	return time - last + CP_SAMPLE_NEAR > 2 * CP_SAMPLE_NEAR;
}

/*
 * look-through.c: are there records inside the window's next record?  Then its
 * size is too large; its content ends `slack` bytes earlier, or, if that is 0,
 * does not show the size.
 */
bool cp_stream_hides(struct cp_stream *, struct cp_window *,
    const struct cp_record_head *, uint32_t slack);
/*
 * look-through.c: does a sample start in the next n bytes and end after them?
 * The window may move.
 */
bool cp_stream_overrun(struct cp_stream *, struct cp_window *, size_t n);

/*
 * look-through.c: n bytes of data are next.  Returns n if the end or a record's
 * header follows them, else how many come before the first record in them.
 */
size_t cp_stream_data_end(struct cp_stream *, struct cp_window *, size_t n);

/*
 * extra.c: in a file the header has the descriptions.  A sample whose type
 * became that of one does not look like it.
 */
bool cp_stream_describes(const struct cp_stream *, const struct cp_event *);
/*
 * extra.c: can the data follow that the window's next record, decoded as the
 * event, tells?  The window may move; the event is decoded again then.
 */
bool cp_stream_extra_fits(struct cp_stream *, struct cp_window *,
    const struct cp_record_head *, struct cp_event *);
/*
 * extra.c: uses or skips the data.  The window moves, so the event's own bytes
 * are lost.
 */
void cp_stream_take_extra(
    struct cp_stream *, struct cp_window *, const struct cp_event *);

/*
 * odd-size.c: is this, the window's next, a record although its size is no
 * multiple of 8?  Once one is, the stream has more.
 */
bool cp_stream_odd(
    struct cp_stream *, struct cp_window *, const struct cp_record_head *);

/*
 * odd-size.c: do records follow n bytes of the window, as far as it shows?  The
 * window may move.
 */
bool cp_stream_goes_on(struct cp_stream *, struct cp_window *, size_t n);
/*
 * odd-size.c: is this, the window's next, a record of a type that is not known?
 * Its size leads to others.
 */
bool cp_stream_newer(
    struct cp_stream *, struct cp_window *, const struct cp_record_head *);

/* compressed.c: inflates a COMPRESSED or COMPRESSED2 record into inner. */
int cp_stream_inflate(struct cp_stream *, const uint8_t *, size_t n);
/*
 * compressed.c: a part of the zstd stream may be lost.  What follows would be
 * inflated with other bytes than it refers to, to samples that never were.
 */
void cp_stream_lose(struct cp_stream *);
/*
 * compressed.c: has this record of the outer window the content of a compressed
 * one?  Then its type is damaged, and *h gets the right one.
 */
bool cp_stream_unmask(
    struct cp_stream *, struct cp_window *, struct cp_record_head *);
/*
 * A part of the zstd stream may be lost.  What follows would be inflated with
 * other bytes than it refers to, to samples that never were.
 */
void cp_stream_lose(struct cp_stream *);
/* compressed.c: ends inflating; reports a block that is incomplete. */
void cp_stream_inflated(struct cp_stream *);
/*
 * compressed.c: is this COMPRESSED2 record of a flush whose size did not fit?
 * If so, *h gets the record's true size, which need not be a multiple of 8.
 */
bool cp_stream_unwrap(
    struct cp_stream *, struct cp_window *, struct cp_record_head *);

/*
 * simpleperf-symbols.c: read objects and symbols; the cursor is after the
 * record's header.
 */
void cp_stream_sp_dso(struct cp_stream *, struct cp_bytes);
void cp_stream_sp_symbol(struct cp_stream *, struct cp_bytes);

/* vouch.c: notes threads and mappings of a record that is used. */
void cp_stream_know(struct cp_stream *, const struct cp_event *);
/* vouch.c: do the records that were just inflated prove damage? */
void cp_stream_unit(struct cp_stream *);
/* vouch.c: after damage: does the record fit all that is known? */
bool cp_stream_sample_fits(const struct cp_stream *, const struct cp_event *);
bool cp_stream_vouched(struct cp_stream *, const struct cp_event *);
void cp_stream_vouch_free(struct cp_stream *);

/* counts.c: takes a record of `perf stat record`; others are ignored. */
void cp_stream_counts(struct cp_stream *, uint32_t type, struct cp_bytes);
/* control.c: reads records that describe the recording itself. */
void cp_stream_control(struct cp_stream *, const struct cp_event *);
/*
 * control.c: chooses between the two descriptions of events of a pipe before
 * the first record that needs them.  It waits for the attrs, because perf 4.14
 * to 4.16 wrote EVENT_DESC before them.  If the input cannot be read twice, its
 * next bytes may have no sample: then it chooses again at the first one.
 */
void cp_stream_compare(struct cp_stream *);

#endif
