/* SPDX-License-Identifier: MIT */
/*
 * render/export/snapshot/tables.h: a profile and its quality as tables.
 * docs/snapshot-format.md has their columns: change both together, and the
 * version if the change can break a reader.
 */
#ifndef CP_RENDER_EXPORT_SNAPSHOT_TABLES_H
#define CP_RENDER_EXPORT_SNAPSHOT_TABLES_H

#include "base/vec.h"
#include "report/profile.h"
#include "report/report.h"
#include "render/export/snapshot/table.h"
#include <coldperf/profile.h>

enum {
	CP_SNAPSHOT_VERSION = 1,
	CP_SNAPSHOT_TABLES = 13,
	CP_SNAPSHOT_SAMPLE_COLUMNS = 7,
};

/* A function active at a frame's address; depth 0 is the outermost. */
struct cp_snapshot_spot {
	uint32_t frame, depth, symbol;
	const char *file;
	uint32_t line, column;
};

struct cp_snapshot_fact {
	const char *key;
	uint64_t count; /* 0 for a share */
	double share;   /* 0 for a count */
};

struct cp_snapshot_tables {
	struct cp_parquet_table table[CP_SNAPSHOT_TABLES];
	/* the columns of samples; NULL: zeros */
	const void *sample[CP_SNAPSHOT_SAMPLE_COLUMNS];
	CP_VEC(struct cp_snapshot_spot) spots;
	CP_VEC(struct cp_snapshot_fact) facts;
};

/* The table of samples; its columns have that many rows. */
void cp_snapshot_samples(
    struct cp_parquet_table *, const void *const *columns, size_t rows);
/* Fills the tables.  They point into the report and into this struct. */
void cp_snapshot_tables(struct cp_snapshot_tables *, const struct cp_report *,
    const struct cp_profile *);
void cp_snapshot_tables_free(struct cp_snapshot_tables *);

/* words.c: the words in tables for enum values of a profile.  The words must
 * never change, because readers compare them. */

extern const char *const cp_snapshot_levels[CP_LEVEL_GUEST_USER + 1];
extern const char *const cp_snapshot_kinds[CP_DSO_JIT + 1];
extern const char *const cp_snapshot_sources[CP_SOURCE_BOUNDS + 1];
extern const char *const cp_snapshot_trusts[CP_TRUST_RECORDED + 1];
extern const char *const cp_snapshot_ends[CP_UNWIND_LIMIT + 1];
extern const char *const cp_snapshot_marks[CP_SIDE_UNTHROTTLE + 1];
extern const char *const cp_snapshot_states[CP_TONE_UNKNOWN + 1];

/* parquet.c: writes tables as Parquet files.  All columns are REQUIRED, numbers
 * are signed, pages are compressed by zstd. The same rows give the same bytes,
 * whatever the number of threads. */

/*
 * Appends the file of table i to out[i]; its `full' is set if the file is too
 * large.  jobs: threads that may help; 0: none.
 */
void cp_parquet_write(struct cp_buf *const out[],
    const struct cp_parquet_table *, size_t n, unsigned jobs);

#endif
