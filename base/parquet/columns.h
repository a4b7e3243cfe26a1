/* SPDX-License-Identifier: MIT */
/*
 * base/parquet/columns.h: reads whole columns of a table, over all groups of
 * rows.
 */
#ifndef CP_BASE_PARQUET_COLUMNS_H
#define CP_BASE_PARQUET_COLUMNS_H

#include "base/buf.h"
#include "base/parquet/parquet.h"
#include "base/vec.h"

struct cp_columns {
	struct cp_parquet p;
	struct cp_arena *arena; /* of texts */
	bool whole;             /* nothing was damaged so far */
	CP_VEC(void *) arrays;  /* of all columns read */
};

/*
 * Opens a table.  False: it is no Parquet file, or exceeds a limit; call
 * cp_columns_close() in any case.
 */
bool cp_columns_open(
    struct cp_columns *, const struct cp_buf *, struct cp_arena *);
void cp_columns_close(struct cp_columns *);
/*
 * Returns the rows of a column, which live until cp_columns_close().  Rows
 * after damage are zeros, and `whole' is then false.
 */
int64_t *cp_columns_numbers(struct cp_columns *, const char *name);
/* Does the same for a column that older tables lack: zeros without it. */
int64_t *cp_columns_later(struct cp_columns *, const char *name);
const char **cp_columns_texts(struct cp_columns *, const char *name);
/* Does the same; empty texts if the table lacks the column. */
const char **cp_columns_later_texts(struct cp_columns *, const char *name);

#endif
