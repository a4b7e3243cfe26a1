/* SPDX-License-Identifier: MIT */
/*
 * base/parquet/columns.h: whole columns of a table, all its groups one after
 * the other.
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

/* False: no such table, or one beyond limits; cp_columns_close() it anyway. */
bool cp_columns_open(
    struct cp_columns *, const struct cp_buf *, struct cp_arena *);
void cp_columns_close(struct cp_columns *);
/*
 * The rows of a column, which live until cp_columns_close(); zeros from where
 * the column is damaged, which `whole' tells.
 */
int64_t *cp_columns_numbers(struct cp_columns *, const char *name);
/* Of a column that the first tables had not: zeros if it is not there. */
int64_t *cp_columns_later(struct cp_columns *, const char *name);
const char **cp_columns_texts(struct cp_columns *, const char *name);
/* Empty texts if the column is not there. */
const char **cp_columns_later_texts(struct cp_columns *, const char *name);

#endif
