/* SPDX-License-Identifier: MIT */
/*
 * base/diag.h: diagnostics: what went wrong, counted.
 *
 * A diagnostic is an id of coldperf/diag.def with a place and a tail.  It is
 * counted where it arises and printed by cli/ only, once per id and input.
 * Levels decide the exit status; the worst one met wins.  Safe to call from
 * workers.
 */
#ifndef CP_BASE_DIAG_H
#define CP_BASE_DIAG_H

#include <pthread.h>
#include <stdarg.h>

#include "base/base.h"
#include "base/limits.h"

enum cp_diag_level {
	CP_DIAG_NOTE,    /* worth knowing; exit 0 */
	CP_DIAG_WARNING, /* unusual or lost by the recorder; 0, --strict 3 */
	CP_DIAG_PARTIAL, /* bytes of the input could not be used; 3 */
	CP_DIAG_LIMIT,   /* a limit was hit; 4 */
	CP_DIAG_ERROR,   /* this input cannot be read, bad usage; 2 */
	CP_DIAG_OUTPUT,  /* output or memory failed; 5 */
};

struct cp_diag_entry {
	const char *slug, *text;
	enum cp_diag_level level;
};
extern const struct cp_diag_entry cp_diag_table[CP_D_COUNT];

#define CP_NO_OFFSET UINT64_MAX

struct cp_diag_place {
	uint64_t record;   /* of the record, from 1; 0: not at a record */
	uint64_t offset;   /* in the input; CP_NO_OFFSET: unknown */
	bool rewritten;    /* in the records that a snapshot has instead */
	const char *input; /* the input, if there are several; or NULL */
	char tail[320];
};

struct cp_diags {
	pthread_mutex_t lock;
	uint64_t count[CP_D_COUNT];
	struct cp_diag_place place[CP_D_COUNT][CP_MAX_PLACES];
	/* The reader's position, copied into each diagnostic. */
	uint64_t at_record, at_offset;
	bool at_rewritten;
	/* the path, which outlives this; NULL: there is one input */
	const char *at_input;
};

void cp_diags_init(struct cp_diags *);
void cp_diag(struct cp_diags *, enum cp_diag_id, const char *fmt, ...)
    CP_PRINTF(3, 4);
void cp_diag_v(struct cp_diags *, enum cp_diag_id, const char *fmt, va_list)
    CP_PRINTF(3, 0);
/* Like cp_diag(), but at the given offset. */
void cp_diag_at(struct cp_diags *, enum cp_diag_id, uint64_t offset,
    const char *fmt, ...) CP_PRINTF(4, 5);
/*
 * Counts a diagnostic n times that was given when a snapshot was made, with its
 * first place.
 */
void cp_diag_was(struct cp_diags *, enum cp_diag_id, uint64_t n,
    uint64_t record, uint64_t offset, const char *fmt, ...) CP_PRINTF(6, 7);
/* Forgets what was counted of an id, and takes what `by' has of it. */
void cp_diags_replace(
    struct cp_diags *, const struct cp_diags *by, enum cp_diag_id);
/* The worst level counted; CP_DIAG_NOTE if there was none. */
enum cp_diag_level cp_diags_worst(const struct cp_diags *);

#endif
