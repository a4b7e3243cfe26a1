/* SPDX-License-Identifier: MIT */
/*
 * run/import/build.h: the rows of an imported profile, each made once.
 *
 * Texts need no NUL.  A text that is too long is cut.
 */
#ifndef CP_RUN_IMPORT_BUILD_H
#define CP_RUN_IMPORT_BUILD_H

#include "run/tables-rows.h"

struct cp_text {
	const char *s;
	size_t n;
};
#define CP_LITERAL(literal) ((struct cp_text){ (literal), sizeof(literal) - 1 })

static inline bool
cp_text_is(struct cp_text t, const char *s)
{
	return t.n == strlen(s) && memcmp(t.s, s, t.n) == 0;
}

static inline bool
cp_text_begins(struct cp_text t, const char *s)
{
	return t.n >= strlen(s) && memcmp(t.s, s, strlen(s)) == 0;
}

static inline bool
cp_text_ends(struct cp_text t, const char *s)
{
	size_t n = strlen(s);

	return t.n >= n && memcmp(t.s + t.n - n, s, n) == 0;
}

/* Finds rows by the 128-bit hash of their content. */
struct cp_import_keys {
	struct cp_map64 map;
	CP_VEC(uint64_t) check; /* the other half, by number - 1 */
};

/* One function at a place: that of the frame, or one inlined there. */
struct cp_import_line {
	struct cp_text name; /* empty: not known */
	struct cp_text file;
	uint32_t line, column;
};

enum { CP_IMPORT_LINES = 64 }; /* inlined functions of one frame */

struct cp_import_frame {
	uint32_t object; /* 0: none */
	uint8_t level;
	uint64_t addr;                               /* 0: not known */
	size_t lines;                                /* at least 1 */
	struct cp_import_line line[CP_IMPORT_LINES]; /* the outermost first */
};

/* An event of an export of ours, by what that says of itself. */
struct cp_import_own {
	struct cp_text name;
	const char *unit; /* NULL: not known */
};

struct cp_import {
	struct cp_run *run;
	struct cp_tables *to;
	struct cp_import_keys objects, symbols, frames, threads, events;
	const char *kind;         /* "text of perf script" */
	uint64_t parsed, skipped; /* bytes */
	uint64_t first_bad;       /* offset of the first bytes not understood */
	bool unsorted;            /* samples are not in order of time */
	bool cut;                 /* the profile ends in the middle */
	struct cp_buf faults;     /* what is wrong in it, in words */
	CP_VEC(struct cp_import_own) own;
};

/* Returns the id of an object by its name as recorded; 0: "[unknown]". */
uint32_t cp_import_object(struct cp_import *, struct cp_text name);
/* The same of an object of a known build ID, in hexadecimal digits. */
uint32_t cp_import_object_id(
    struct cp_import *, struct cp_text name, struct cp_text build_id);
/* Is that the name of the kernel or of a module? */
bool cp_import_is_kernel(struct cp_text object);
cp_frame_id cp_import_frame(struct cp_import *, const struct cp_import_frame *);
/* Appends a caller or callee to a stack. */
cp_stack_id cp_import_push(struct cp_import *, cp_stack_id, cp_frame_id);
/* Returns the row of a thread; numbers may be CP_NO_ID. */
uint32_t cp_import_thread(
    struct cp_import *, uint32_t pid, uint32_t tid, struct cp_text comm);
/*
 * Returns the index of an event; unit: of its weights, NULL: by its name.
 * weighted: samples have weights that were recorded.
 */
uint32_t cp_import_event(
    struct cp_import *, struct cp_text name, const char *unit, bool weighted);
/* Adds samples that are alike; CP_FAIL after a diagnostic. */
int cp_import_sample(struct cp_import *, const struct cp_tables_row *);
/*
 * Turns weights that are sums of equal samples into these: of each event those
 * with a large common divisor, and if they are counts those with none.
 */
void cp_import_divide(struct cp_import *, bool counts);
/* Notes bytes that were not understood. */
void cp_import_skip(struct cp_import *, uint64_t offset, uint64_t bytes);
/*
 * Notes n things, "weight", that are wrong, "below 0", or lack something; 0:
 * none.
 */
void cp_import_fault(
    struct cp_import *, uint64_t n, const char *noun, const char *what);
/* Notes what the profile lacks, "no times, no threads", or how it is read. */
void cp_import_say(struct cp_import *, const char *, ...) CP_PRINTF(2, 3);
/* Learns the events from lines that an export of ours has about itself. */
void cp_import_learn_own(struct cp_import *, struct cp_text about);
void cp_import_free(struct cp_import *);

#endif
