/* SPDX-License-Identifier: MIT */
/*
 * render/export/snapshot/chunk.h: one column of one row group of a Parquet
 * file, packed as pages, and the footer that tells of all.
 */
#ifndef CP_RENDER_EXPORT_SNAPSHOT_CHUNK_H
#define CP_RENDER_EXPORT_SNAPSHOT_CHUNK_H

#include "render/export/snapshot/table.h"

#define CP_PARQUET_MAGIC "PAR1"

/* Rows of a row group, which readers take as a whole. */
#define CP_GROUP_ROWS ((size_t)1 << 20)

struct cp_parquet_chunk {
	const struct cp_parquet_table *table;
	size_t column, first, rows; /* the values to pack next */
	struct cp_buf bytes;        /* pages */
	uint64_t values, plain;     /* in them; plain: bytes, not compressed */
	uint64_t offset, size;      /* in the file */
};

/* `rows' is the number of rows from `first' on, also beyond the group. */
void cp_parquet_chunk_init(struct cp_parquet_chunk *,
    const struct cp_parquet_table *, size_t column, size_t first, size_t rows);
/* Appends the values of n chunks to their pages.  jobs: threads; 0: none. */
void cp_parquet_pack(struct cp_parquet_chunk *, size_t n, unsigned jobs);
/* Appends the end of a file of that many rows. */
void cp_parquet_footer(struct cp_buf *, const struct cp_parquet_table *,
    uint64_t rows, const struct cp_parquet_chunk *, size_t groups);

#endif
