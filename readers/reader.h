/* SPDX-License-Identifier: MIT */
/*
 * readers/reader.h: what a container format offers.
 *
 * readers/ makes records of bytes.  Containers are here, one file each; what a
 * file's header says is in header/, the stream of records in record/, writing
 * a capture anew in rewrite/.  It may use model/ and base/; begin at file.c.
 *
 * A reader bids on an opened input by its first bytes; the highest bid opens
 * it.  open() fills the recording with what stands before the events; next()
 * gives events in file order, FINISHED_ROUND where order can be settled.
 */
#ifndef CP_READERS_READER_H
#define CP_READERS_READER_H

#include "model/event.h"
#include "model/recording.h"
#include "readers/input.h"

struct cp_order;
struct cp_file_header;

struct cp_file_span {
	uint64_t offset, size;
};

struct cp_capture {
	const struct cp_reader *const *readers; /* all there are; then NULL */
	const struct cp_reader *reader;         /* that fits */
	struct cp_input in;
	struct cp_recording *rec;
	struct cp_quality *quality;
	struct cp_diags *diags;
	void *state; /* the reader's */
	bool keeps;  /* the capture of a bundle, for the next run */
	/* What was used of a file beside its records; may overlap. */
	CP_VEC(struct cp_file_span) claimed;
	struct cp_file_span walked;    /* the records */
	struct cp_file_header *header; /* of a seekable file; or NULL */
	CP_VEC(uint32_t) parts; /* N of each data.N of a folder, by source */
};

struct cp_reader {
	const char *name;
	int (*bid)(const struct cp_input *); /* 0: not mine */
	int (*open)(struct cp_capture *);
	int (*next)(struct cp_capture *, struct cp_event *); /* 1, 0: end */
	/* Takes samples into the queue while it can; NULL: it cannot. */
	uint64_t (*lane)(struct cp_capture *, struct cp_order *);
	/* The sample at an offset once more; NULL: it cannot. */
	bool (*again)(struct cp_capture *, uint64_t offset, struct cp_event *);
	void (*close)(struct cp_capture *);
};

/* list.def: one for each container. */
#define CP_READER(id) extern const struct cp_reader cp_reader_##id;
#include "readers/list.def"
#undef CP_READER

/*
 * Opens the capture's input with the one of its readers that fits.  CP_FAIL
 * after a diagnostic.
 */
int cp_capture_start(struct cp_capture *) CP_MUST_USE;
int cp_capture_next(struct cp_capture *, struct cp_event *);
/* Between two events: takes the samples that need not become one. */
uint64_t cp_capture_lane(struct cp_capture *, struct cp_order *);
/* Can a sample of the input (cp_event.outer) be read once more? */
bool cp_capture_rereads(const struct cp_capture *);
/* Does so; valid until the next call.  False: the file was changed. */
bool cp_capture_again(struct cp_capture *, uint64_t offset, struct cp_event *);
void cp_capture_close(struct cp_capture *);

#endif
