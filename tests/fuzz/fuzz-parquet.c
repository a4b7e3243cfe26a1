/* SPDX-License-Identifier: MIT */
/*
 * fuzz-parquet: the tables of a snapshot.  Every column is read as numbers and
 * as texts.
 */
#include "base/parquet/parquet.h"
#include "tests/fuzz/fuzz.h"

/* Smaller than for users: what is inflated costs time, and finds nothing. */
enum { INFLATED = 8 << 20, ROWS = 1 << 18, COLUMNS = 32 };

static volatile size_t sink; /* keeps the reads */

static void
read_numbers(struct cp_parquet *p, size_t group, int column)
{
	size_t rows = p->groups.data[group];
	int64_t *out = cp_xcalloc(rows + 1, sizeof(*out));

	if (cp_parquet_numbers(p, group, column, out) && rows != 0)
		sink += (size_t)out[0] + (size_t)out[rows - 1];
	free(out);
}

static void
read_texts(struct cp_parquet *p, size_t group, int column)
{
	size_t rows = p->groups.data[group];
	const char **out = cp_xcalloc(rows + 1, sizeof(*out));
	struct cp_arena a = { 0 };

	if (cp_parquet_texts(p, group, column, &a, out))
		for (size_t i = 0; i < rows; i++)
			sink += strlen(out[i]);
	cp_arena_free(&a);
	free(out);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cp_parquet p;
	bool opened = cp_parquet_open(&p, data, size, INFLATED);
	size_t columns = CP_MIN(p.fields.len, (size_t)COLUMNS);

	sink += (size_t)cp_parquet_column(&p, "pid");
	for (size_t g = 0; opened && p.rows <= ROWS && g < p.groups.len; g++)
		for (size_t i = 0; i < columns; i++) {
			read_numbers(&p, g, (int)i);
			read_texts(&p, g, (int)i);
		}
	cp_parquet_close(&p);
	return 0;
}
