/* SPDX-License-Identifier: MIT */
/* readers/redact/state.h: a redaction in the making. */
#ifndef CP_READERS_REDACT_STATE_H
#define CP_READERS_REDACT_STATE_H

#include "base/redact/names.h"
#include "readers/reader.h"
#include "readers/rewrite/repair.h"
#include "base/redact/code.h"

struct cp_redaction {
	struct cp_redact *names;
	struct cp_capture *src;
	struct cp_repair file; /* the new file */
	struct cp_buf scratch; /* the record being written */
	/* left out: records of unknown types, fields of payloads */
	uint64_t records, fields;
	uint64_t time; /* of the last sample */
	/* Fields of payloads, by a hash of the name: 2 if kept, else 1. */
	struct cp_map64 is_kept;
};

/* addresses.c: addresses of no code, which become one constant.  Call chains
 * that were followed by frame pointers hold words of the stack, of any content,
 * as callers. */

/* Takes what a record tells of the code of processes. */
void cp_redact_code_learn(struct cp_redact_code *, const struct cp_event *);
/* In a copy of a sample's bytes, and in the sample. */
void cp_redact_addresses(struct cp_redaction *, const struct cp_evsel_info *,
    struct cp_event *, uint8_t *copy);
/* In the chain of a record that has the user part of another's. */
void cp_redact_deferred(struct cp_redaction *, struct cp_event *);

/* features.c: the features of a redacted capture. */

/* Rewrites the features, and leaves out unknown ones. */
void cp_redact_features(struct cp_redaction *, struct cp_repair *);

/* letters.c: finds text in fields that should hold numbers. */

/*
 * Do the n bytes, which should be numbers, contain a text?  They begin where
 * numbers of 64 bits begin.
 */
bool cp_redact_letters(const struct cp_redaction *, const uint8_t *, size_t n);

/* record.c: the records of a redacted capture. */

/*
 * Changes the record; its bytes are then in the scratch buffer.  False: it is
 * left out.
 */
bool cp_redact_record(struct cp_redaction *, struct cp_event *);

/* sample.c: the samples of a redacted capture. */

/*
 * Blanks the fields of a sample that the policy removes.  False: the sample has
 * unknown fields.
 */
bool cp_redact_sample(struct cp_redaction *, struct cp_event *);

/* tracing.c: names of events and layouts of payloads. */

/* Redacts the names and layouts of events in the recording. */
void cp_redact_layouts(struct cp_redaction *);
/* The event's name after the redaction. */
const char *cp_redact_event(
    struct cp_redact *, const struct cp_evsel_info *, const char *name);
/* Does the policy keep the event's name and payload? */
bool cp_redact_event_kept(
    const struct cp_redact *, const struct cp_evsel_info *);

#endif
