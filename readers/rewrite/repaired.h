/* SPDX-License-Identifier: MIT */
/*
 * readers/rewrite/repaired.h: the state of a repair: parts written and parts
 * left out.
 */
#ifndef CP_READERS_REWRITE_REPAIRED_H
#define CP_READERS_REWRITE_REPAIRED_H

#include "base/hash.h"
#include "base/vec.h"
#include "base/bytes.h"
#include "model/event.h"
#include "model/evsel.h"
#include "model/recording.h"
#include "model/tracepoint.h"
#include "readers/reader.h"
#include "readers/rewrite/writer.h"

/* A feature of the new file. */
struct cp_repair_feature {
	uint32_t bit;
	uint8_t *data; /* freed by cp_repair_free() */
	size_t size;
};

struct cp_event;
struct cp_repair;

/* Callbacks that change the parts to be written. */
struct cp_repair_filter {
	/*
	 * Changes a record that does not belong to the header.  False: the
	 * record is left out.
	 */
	bool (*record)(void *ctx, struct cp_event *);
	/* Changes the features that were taken. */
	void (*features)(void *ctx, struct cp_repair *);
	void *ctx;
};

struct cp_repair {
	const struct cp_repair_filter *filter; /* NULL: none */
	int fd; /* the new file, which cp_repair_free() closes; -1: none */
	uint64_t size;
	uint64_t records, samples; /* written */
	uint64_t no_event; /* samples left out: their event is not known */
	uint64_t mended;   /* records that got their true size or field */
	uint64_t values;   /* of no event, left out of samples written */
	/* records left out: perf 6.1 would stop at their type, size or content
	 */
	uint64_t formless;
	uint64_t shorter;  /* samples written without counters of branches */
	uint64_t nameless; /* samples written without values that have no id */
	uint64_t deferred; /* chains written that perf 6.1 does not know */
	uint64_t marks;    /* written where bytes were left out */
	uint64_t gaps;     /* gaps before the record being written */
	uint64_t digest;   /* of the samples written, in their order */
	uint64_t layouts;  /* layouts of tracepoints, written again */
	CP_VEC(struct cp_repair_feature) features;
	CP_VEC(uint32_t) damaged;   /* features left out */
	CP_VEC(uint64_t) per_event; /* samples written, by event */
	struct cp_map64 found_ids;  /* of samples: id -> index of event + 1 */
	uint32_t cpus;              /* the highest CPU of a sample, plus 1 */
	bool aux;                   /* a description of AUX data was written */
	bool threads, cpu_map;      /* so were maps of threads and of CPUs */
	bool as_read; /* events keep their layouts, though they differ */
};

/* repair-attrs.c: the descriptions of events. */

/* Counts a sample of the event. */
void cp_repair_count(struct cp_repair *, uint32_t evsel);
/* The size of an attr in the new file. */
uint32_t cp_repair_attr_size(const struct cp_evsels *);
/* Writes the ids and then the entries that refer to them. */
struct cp_file_span cp_repair_attrs(
    const struct cp_repair *, struct cp_rewriter *);
/* Makes the feature EVENT_DESC, which has the names. */
void cp_repair_names(struct cp_repair *, const struct cp_recording *);
/*
 * Are the attrs of all events with samples noise, or without samples those of
 * all events?  A noisy attr has several unknown bits in sample_type.
 */
bool cp_repair_all_noise(const struct cp_repair *, const struct cp_evsels *);
/* Do events have their ids at different places? */
bool cp_repair_differ(const struct cp_evsels *);

/* repair-counter.c: values of counters in samples. */

struct cp_repair_counters {
	uint64_t unknown, known; /* values of ids of no event, and others */
	uint64_t id;             /* the first that is unknown */
	uint32_t size;           /* of the sample without the unknown values */
};

/* Counts a sample's values. */
struct cp_repair_counters cp_repair_counters(
    const struct cp_evsels *, const struct cp_event *);
/* The id of a sample's value i; false if it has no such value. */
bool cp_repair_counter_id(const struct cp_evsels *, const struct cp_event *,
    uint64_t i, uint64_t *id);
/* Writes the sample without the unknown values, after its header. */
void cp_repair_without(
    const struct cp_evsels *, const struct cp_event *, uint8_t *copy);

/* repair-features.c: the features of a repaired file. */

/* Takes the features of a file that can be read in full. */
void cp_repair_features(struct cp_repair *, struct cp_capture *src);
/* Takes one payload if it is sound; the same feature again replaces it. */
void cp_repair_feature(struct cp_repair *, uint32_t bit, const uint8_t *data,
    size_t size, bool swap);
/* Takes a payload unchecked, in place of an earlier one. */
void cp_repair_replace(
    struct cp_repair *, uint32_t bit, const uint8_t *data, size_t size);
/* Leaves the feature out. */
void cp_repair_remove(struct cp_repair *, uint32_t bit);
/* Adds to the payload of a feature, which is a list. */
void cp_repair_append(
    struct cp_repair *, uint32_t bit, const uint8_t *data, size_t size);
/*
 * Sorts the features into file order; leaves out a feature that contradicts an
 * earlier one.
 */
void cp_repair_judge(struct cp_repair *, bool swap);
/* Gives a file of the other byte order an empty name of a host if needed. */
void cp_repair_hostname(struct cp_repair *, bool swap);
/* Leaves out the CPUs' topology if samples have CPUs outside of it. */
void cp_repair_topology(struct cp_repair *, uint32_t cpus);

/* repair-format.c: texts that libtraceevent can parse. */

/* Does the print format close what it opens, and name fields that exist? */
bool cp_repair_print_sound(const struct cp_tp_event *);
/* Does the layout of a page, in tracing data, have lines of fields alone? */
bool cp_repair_page_sound(struct cp_bytes tracing);

/* repair-ids.c: ids of events that the new file needs.  Samples show ids that
 * the damaged header lost; an event of which no sample shows one gets an id
 * that no record has. */

/* Keeps the ids of a sample that is written. */
void cp_repair_keep_ids(
    struct cp_repair *, const struct cp_evsels *, const struct cp_event *);
/* After the last record: adds them to the events, and makes those that lack. */
void cp_repair_add_ids(const struct cp_repair *, struct cp_evsels *);

/* repair-nameless.c: counters in samples without their ids.  perf refuses a
 * file with such an event, and the reader counts nothing by the values.  So
 * they are left out; the period is a field of its own. */

/* Does the event have one value per sample, without an id? */
bool cp_repair_nameless(const struct cp_attr *);
/* Writes a sample of such an event; false: it is another one. */
bool cp_repair_put_nameless(struct cp_rewriter *, const struct cp_event *);

/* repair-newer.c: fields of samples newer than perf 6.1. */

/* Clears the bits of fields that are left out. */
void cp_repair_older(struct cp_attr *);
/*
 * Removes the counters of branches from a sample, whose bytes are then in the
 * copy, of CP_MAX_RECORD bytes.  False: it has none.
 */
bool cp_repair_shorten(
    const struct cp_evsels *, struct cp_event *, uint8_t *copy);

/* repair-odd.c: samples whose size is no multiple of 4.  OpenHarmony's hiperf
 * writes raw data without padding, and perf ends there. */

/* Is it a sample that raw data with zeros at their end make even? */
bool cp_repair_odd(const struct cp_event *);
void cp_repair_put_odd(struct cp_rewriter *, const struct cp_event *);

/* repair-record.c: which records perf 6.1 can read. */

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

/* repair-symbols.c: the names that simpleperf wrote. */

/*
 * Writes the feature FILE with the symbols that were read, if the new file
 * would lack some of them.
 */
void cp_repair_symbols(struct cp_repair *, const struct cp_recording *);

/* repair-tracing.c: the tracing data of a repaired file. */

/* Makes tracing data if those taken lack the format of an event. */
void cp_repair_tracing(struct cp_repair *, const struct cp_recording *);

/* repair-user.c: the records that perf itself wrote. */

/*
 * Can perf 6.1 process this record of perf's own?  It ends, or crashes, at a
 * type that its recorder did not write, and at a count or an id that is wrong.
 */
bool cp_repair_user_has(const struct cp_evsels *, const struct cp_event *);
/* Is it a value or the end of a round of perf stat? */
bool cp_repair_counts(const struct cp_event *);

/* repair-check.c: reads the new file to check it. */

/*
 * Number of marks written at a gap.  The reader looks at this many records
 * after a sample, so it does not see across the gap.
 */
enum { CP_REPAIR_MARKS = 4 };

/* Adds a sample to a digest. */
uint64_t cp_repair_digest(uint64_t, const struct cp_event *);
/* The new file as a capture. */
struct cp_again {
	struct cp_capture capture;
	struct cp_recording *rec;
	struct cp_diags *diags;
	struct cp_quality quality;
};

/* Opens the new file.  The caller must close it even if this fails. */
bool cp_again_open(
    struct cp_again *, const struct cp_repair *, const struct cp_capture *src);
void cp_again_close(struct cp_again *);

enum cp_repair_read {
	CP_REPAIR_OTHER,   /* not the samples that were written, in order */
	CP_REPAIR_DAMAGED, /* these samples, but the reader finds damage */
	CP_REPAIR_SOUND,
};

enum cp_repair_read cp_repair_reads_back(
    const struct cp_repair *, const struct cp_capture *src);

#endif
