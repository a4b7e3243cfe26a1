/* SPDX-License-Identifier: MIT */
#include "base/parquet/columns.h"

/* Most rows of a table, and most bytes that its pages inflate to. */
#define MAX_ROWS (UINT64_C(16) << 20)
#define MAX_PLAIN (UINT64_C(1) << 30)

bool
cp_columns_open(
    struct cp_columns *t, const struct cp_buf *b, struct cp_arena *arena)
{
	*t = (struct cp_columns){ .arena = arena };
	t->whole = b->len != 0 &&
		   cp_parquet_open(
		       &t->p, (const uint8_t *)b->data, b->len, MAX_PLAIN) &&
		   t->p.rows <= MAX_ROWS;
	return t->whole;
}

void
cp_columns_close(struct cp_columns *t)
{
	cp_parquet_close(&t->p);
	for (size_t i = 0; i < t->arrays.len; i++)
		free(t->arrays.data[i]);
	cp_vec_free(&t->arrays);
}

/* Returns zeros, one for each row. */
static void *
array_new(struct cp_columns *t, size_t size)
{
	void *array = cp_xcalloc((size_t)t->p.rows + 1, size);

	*cp_vec_push(&t->arrays) = array;
	return array;
}

int64_t *
cp_columns_numbers(struct cp_columns *t, const char *name)
{
	int64_t *out = array_new(t, sizeof(*out));
	int column = cp_parquet_column(&t->p, name);
	size_t at = 0;

	for (size_t i = 0; i < t->p.groups.len && t->whole; i++) {
		t->whole = cp_parquet_numbers(&t->p, i, column, out + at);
		at += t->p.groups.data[i];
	}
	return out;
}

int64_t *
cp_columns_later(struct cp_columns *t, const char *name)
{
	return cp_parquet_column(&t->p, name) >= 0
		   ? cp_columns_numbers(t, name)
		   : array_new(t, sizeof(int64_t));
}

const char **
cp_columns_texts(struct cp_columns *t, const char *name)
{
	const char **out = array_new(t, sizeof(*out));
	int column = cp_parquet_column(&t->p, name);
	size_t at = 0;

	for (size_t i = 0; i < t->p.groups.len && t->whole; i++) {
		t->whole =
		    cp_parquet_texts(&t->p, i, column, t->arena, out + at);
		at += t->p.groups.data[i];
	}
	return out;
}

const char **
cp_columns_later_texts(struct cp_columns *t, const char *name)
{
	const char **out;

	if (cp_parquet_column(&t->p, name) >= 0)
		return cp_columns_texts(t, name);
	out = array_new(t, sizeof(*out));
	for (uint64_t i = 0; i < t->p.rows; i++)
		out[i] = "";
	return out;
}
