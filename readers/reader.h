/* SPDX-License-Identifier: MIT */
/*
 * readers/reader.h: the interface of container formats.
 *
 * readers/ decodes bytes to records.  Containers are here, one file each;
 * header/ reads file headers, record/ the stream of records, rewrite/ writes a
 * capture again.  It may use model/ and base/; begin at file.c.
 *
 * A reader bids on an opened input by its first bytes; the highest bid opens
 * it.  open() fills the recording from the parts before the events.  next()
 * returns events in file order, with FINISHED_ROUND records where earlier
 * events can be sorted by time.
 */
#ifndef CP_READERS_READER_H
#define CP_READERS_READER_H

#include "model/event.h"
#include "model/recording.h"
#include "base/snapshot-meta.h"
#include "readers/input.h"

struct cp_order;
struct cp_file_header;

struct cp_file_span {
	uint64_t offset, size;
};

/* A profile of another tool, which is not read here: see run/import/. */
enum cp_profile_kind {
	CP_PROFILE_NONE,
	CP_PROFILE_TEXT, /* of perf script, or folded */
	CP_PROFILE_JSON,
	CP_PROFILE_PROTO,
	CP_PROFILE_UTF16, /* text, which is refused */
};

struct cp_capture {
	/* all readers; ends with NULL */
	const struct cp_reader *const *readers;
	const struct cp_reader *reader; /* the reader that was chosen */
	struct cp_input in;
	struct cp_recording *rec;
	struct cp_quality *quality;
	struct cp_diags *diags;
	void *state; /* private data of the reader */
	bool keeps;  /* cache the capture of a bundle for the next run */
	/*
	 * takes_tables: a snapshot without records is accepted; only_tables:
	 * the capture is one.
	 */
	bool takes_tables, only_tables;
	enum cp_profile_kind profile;
	/* Bytes used outside of the records; spans may overlap. */
	CP_VEC(struct cp_file_span) claimed;
	struct cp_file_span walked;    /* the records */
	struct cp_file_header *header; /* of a seekable file; or NULL */
	/*
	 * The account of the original records, if these were made from others.
	 */
	struct cp_snapshot_meta was;
	int snapshot;           /* the snapshot that it is in; 0: none */
	CP_VEC(uint32_t) parts; /* N of each data.N of a directory, by source */
};

struct cp_reader {
	const char *name;
	int (*bid)(const struct cp_input *); /* 0: cannot read this input */
	int (*open)(struct cp_capture *);
	int (*next)(
	    struct cp_capture *, struct cp_event *); /* returns 0 at the end */
	/*
	 * Puts plain samples directly into the queue, or passes over them if
	 * that is NULL.  NULL: not supported.
	 */
	uint64_t (*lane)(struct cp_capture *, struct cp_order *);
	/* Reads the sample at an offset again; NULL: not supported. */
	bool (*again)(struct cp_capture *, uint64_t offset, struct cp_event *);
	void (*close)(struct cp_capture *);
};

/* readers/list.def has a row for each container. */
#define CP_READER(id) extern const struct cp_reader cp_reader_##id;
#include "readers/list.def"
#undef CP_READER

/*
 * Opens the capture's input with the reader that bids most.  CP_FAIL after a
 * diagnostic.
 */
int cp_capture_start(struct cp_capture *) CP_MUST_USE;
int cp_capture_next(struct cp_capture *, struct cp_event *);
/*
 * Puts the next plain samples directly into the queue.  Call it between two
 * events; returns how many samples it took.
 */
uint64_t cp_capture_lane(struct cp_capture *, struct cp_order *);
/* Passes over the next plain samples, as far as no path can be in them. */
uint64_t cp_capture_pass(struct cp_capture *);
/* Can the reader read a sample again, given its offset (cp_event.outer)? */
bool cp_capture_rereads(const struct cp_capture *);
/*
 * Reads the sample again; it is valid until the next call.  Returns false if
 * the file was changed.
 */
bool cp_capture_again(struct cp_capture *, uint64_t offset, struct cp_event *);
void cp_capture_close(struct cp_capture *);

/*
 * series.c: is the folder one recording, in the files that perf record
 * --switch-output wrote?
 */
bool cp_series_is(int dir);

/* no-capture.c: what is known of an input that is no capture. */

/*
 * Says why the input is no capture: `what', or what it is instead and which
 * file to give.
 */
void cp_no_capture(
    const struct cp_input *, struct cp_diags *, const char *what);

/* profile.c: is an input a profile of another tool?. */

/* Tells it by the first bytes; run/import/ reads it. */
enum cp_profile_kind cp_profile_bid(const uint8_t *head, size_t n);

#endif
