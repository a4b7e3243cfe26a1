/* SPDX-License-Identifier: MIT */
/*
 * base/parquet/parquet.h: reads the Parquet files that snapshots have
 * (docs/snapshot-format.md): REQUIRED columns, zstd, PLAIN or
 * DELTA_BINARY_PACKED.
 *
 * A file is read column by column, one group of rows after the other, so that
 * memory is bounded by a group.  Columns are found by name; columns added by a
 * later version are ignored.
 */
#ifndef CP_BASE_PARQUET_PARQUET_H
#define CP_BASE_PARQUET_PARQUET_H

#include "base/vec.h"

/* Most rows of a group and of a page, and the inflated size of a page. */
#define CP_PARQUET_GROUP ((size_t)1 << 20)
#define CP_PARQUET_PAGE ((size_t)1 << 17)
#define CP_PARQUET_PLAIN ((size_t)64 << 20)

struct cp_parquet_field {
	const uint8_t *name; /* not ended by NUL */
	size_t name_size;
	int type;
};

struct cp_parquet_chunk {
	size_t offset, size;
};

struct cp_parquet {
	const uint8_t *data;
	size_t size;
	CP_VEC(struct cp_parquet_field) fields;
	CP_VEC(struct cp_parquet_chunk) chunks; /* fields.len for each group */
	CP_VEC(size_t) groups;                  /* rows */
	uint64_t rows;                          /* of all groups */
	uint64_t left; /* bytes that may still be inflated */
};

/*
 * Reads the footer; data must outlive it.  left: the bytes that all pages
 * together may inflate to.  False: it is no such file; call cp_parquet_close()
 * in any case.
 */
bool cp_parquet_open(
    struct cp_parquet *, const uint8_t *data, size_t size, uint64_t left);
void cp_parquet_close(struct cp_parquet *);
/* The number of the column, or -1. */
int cp_parquet_column(const struct cp_parquet *, const char *name);
/* Reads a column of a group; out has room for its rows.  False: damaged. */
bool cp_parquet_numbers(
    struct cp_parquet *, size_t group, int column, int64_t *out);
/* Does the same for texts, which are copied; none contains a NUL. */
bool cp_parquet_texts(struct cp_parquet *, size_t group, int column,
    struct cp_arena *, const char **out);

#endif
