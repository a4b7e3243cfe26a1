/* SPDX-License-Identifier: MIT */
/*
 * render/export/snapshot/table.h: the description of a table: its columns, and
 * the place of their values.
 *
 * Rows are an array of structs, or each column is an array of its own.
 */
#ifndef CP_RENDER_EXPORT_SNAPSHOT_TABLE_H
#define CP_RENDER_EXPORT_SNAPSHOT_TABLE_H

#include "base/buf.h"

enum cp_column_kind {
	CP_COLUMN_I32,
	CP_COLUMN_I64,
	CP_COLUMN_DELTA32, /* DELTA_BINARY_PACKED */
	CP_COLUMN_DELTA64,
	CP_COLUMN_ROW,    /* the row's number from 0 */
	CP_COLUMN_DOUBLE, /* the field is a double */
	CP_COLUMN_TEXT,   /* the field is a const char *; NULL is "" */
	CP_COLUMN_WORD,   /* the field is a number in words[] */
	CP_COLUMN_MADE,   /* text() makes it */
};

struct cp_parquet_column {
	const char *name;
	enum cp_column_kind kind;
	size_t at, size; /* of the field in its struct */
	const char *const *words;
	size_t n_words;
	void (*text)(struct cp_buf *, const void *row);
};

struct cp_parquet_table {
	const char *name, *about;
	const struct cp_parquet_column *columns;
	size_t n_columns;
	const void *base; /* NULL: see bases */
	size_t stride;
	/* By column, whose size is the stride; NULL: its values are 0. */
	const void *const *bases;
	size_t rows;
};

#endif
