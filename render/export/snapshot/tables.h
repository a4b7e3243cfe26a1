/* SPDX-License-Identifier: MIT */
/*
 * render/export/snapshot/tables.h: a profile and its quality as tables.
 * docs/snapshot-format.md has their columns: change both together, and the
 * version if the change can break a reader.
 */
#ifndef CP_RENDER_EXPORT_SNAPSHOT_TABLES_H
#define CP_RENDER_EXPORT_SNAPSHOT_TABLES_H

#include "base/vec.h"
#include "render/export/snapshot/parquet.h"
#include "report/profile.h"
#include "report/report.h"

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

#endif
