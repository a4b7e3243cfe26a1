/* SPDX-License-Identifier: MIT */
/*
 * analyses/pairs/begun.h: what began and has not ended, found by its key; and
 * what is counted when it ends: sums and percentiles by row, the slowest, the
 * payload of a begin.
 *
 * pair, syscalls, locks and blockio share it.
 */
#ifndef CP_ANALYSES_PAIRS_BEGUN_H
#define CP_ANALYSES_PAIRS_BEGUN_H

#include "analyses/lost/waits.h"

/*
 * Begins looked at for an end: more with one key, or with one hash, are made
 * up, and would take time by their square.
 */
enum { CP_BEGUN_LOOKED = 1024 };

/* Each record of the caller begins with this. */
enum { CP_BEGUN_KEY = 4 };
struct cp_begun {
	uint64_t key[CP_BEGUN_KEY];
	uint32_t
	    next; /* number of the next in its chain, or of the next free */
};

/* Numbers of records begin at 1. */
struct cp_begun_set {
	struct cp_run *run;
	size_t size; /* of a record */
	char *all;
	uint32_t cap, n, live, unused;
	uint32_t *heads; /* newest first */
};

void cp_begun_init(struct cp_begun_set *, struct cp_run *, size_t size);
static inline void *
cp_begun_at(const struct cp_begun_set *b, uint32_t i)
{
	return b->all + (i - 1) * b->size;
}
/* Keeps a copy of a record, which no key finds yet; records may move. */
uint32_t cp_begun_new(struct cp_begun_set *, const void *record);
/* Lets the key of a record find it. */
void cp_begun_link(struct cp_begun_set *, uint32_t i);
/* Returns where the numbers of a key start, and those of the same hash. */
uint32_t *cp_begun_head(const struct cp_begun_set *, const uint64_t *key);
/*
 * Returns where the number of the newest of a key is, or of the oldest; NULL:
 * there is none.
 */
uint32_t *cp_begun_find(
    const struct cp_begun_set *, const uint64_t *key, bool oldest);
/* Returns where a first number is, from a hash on; NULL: all are empty. */
uint32_t *cp_begun_from(const struct cp_begun_set *, uint32_t *hash);
/* Takes a record out of its chain; returns its number. */
uint32_t cp_begun_unlink(struct cp_begun_set *, uint32_t *at);
void cp_begun_free(struct cp_begun_set *, uint32_t i);

/* ns off the CPU. */
struct cp_pair_off {
	uint64_t ready, blocked, unknown;
};

/* What is counted of a row: a call of a thread, the requests of a device. */
struct cp_pair_row {
	struct cp_quantiles took;
	uint64_t self; /* ns, without the pairs inside */
	uint64_t begun, errors, bytes;
	uint64_t open; /* begun, and without an end */
	struct cp_pair_off off;
};

struct cp_pair_rows {
	struct cp_run *run;
	struct cp_index by; /* two numbers of the caller */
	struct cp_pair_row *all;
	uint32_t cap;
};

void cp_pair_rows_init(struct cp_pair_rows *, struct cp_run *);
uint32_t cp_pair_rows_put(struct cp_pair_rows *, uint64_t a, uint64_t b);
/* Adds to the row of two numbers; returns it. */
struct cp_pair_row *cp_pair_rows_add(
    struct cp_pair_rows *, uint64_t a, uint64_t b, const struct cp_pair_row *);
void cp_pair_off_add(struct cp_pair_off *, const struct cp_pair_off *);
/* Adds to a row. */
void cp_pair_row_add(
    struct cp_run *, struct cp_pair_row *, const struct cp_pair_row *);
/* Notes how exact the percentiles of rows are. */
void cp_pair_rows_note(const struct cp_pair_rows *, struct cp_report *);

/* The slowest, slowest first; the caller has what is known of each, by slot. */
enum { CP_SLOWEST = 10 };
struct cp_slowest {
	uint32_t n;
	struct {
		uint64_t ns;
		uint32_t slot;
	} at[CP_SLOWEST];
};

/* Would it be one of the slowest? */
static inline bool
cp_slowest_takes(const struct cp_slowest *s, uint64_t ns)
{
	return s->n < CP_SLOWEST || ns > s->at[CP_SLOWEST - 1].ns;
}
/* Returns the slot of a new one; CP_NO_ID: others took longer. */
uint32_t cp_slowest_put(struct cp_slowest *, uint64_t ns);

/* The payload of a begin; of larger ones a part. */
enum { CP_PAIR_RAW = 96 };
struct cp_pair_raw {
	uint32_t evsel;
	uint8_t size, bytes[CP_PAIR_RAW];
};

void cp_pair_raw_keep(struct cp_pair_raw *, const struct cp_sample *);
/* Returns it as text, of the thread of a sample; 0: there is none. */
cp_string_id cp_pair_raw_text(
    struct cp_run *, const struct cp_pair_raw *, const struct cp_sample *);

/* Notes each number that is not 0: "WHAT: N; THEN". */
struct cp_pair_note {
	uint64_t n;
	const char *what, *then;
};
void cp_pair_notes(
    struct cp_report *, const struct cp_pair_note *, size_t notes);

#endif
