/* SPDX-License-Identifier: MIT */
/* The footer of a Parquet file: its columns, and where their pages are. */
#include "base/parquet/parquet.h"
#include "base/parquet/thrift.h"

enum { MAGIC = 4, ENDS = 12, ZSTD = 6 };

static void
read_field(struct cp_parquet *p, struct cp_bytes *b)
{
	struct cp_parquet_field field = { .type = -1 };
	struct cp_thrift_field f = { 0 };

	while (cp_thrift_next(b, &f))
		if (f.id == 1)
			field.type = (int)cp_thrift_number(b, &f);
		else if (f.id == 4)
			field.name = cp_thrift_bytes(b, &f, &field.name_size);
		else
			cp_thrift_skip(b, &f);
	/* The first element, which has no type, is the table itself. */
	if (field.name != NULL && field.type >= 0)
		*cp_vec_push(&p->fields) = field;
}

static void
read_schema(
    struct cp_parquet *p, struct cp_bytes *b, const struct cp_thrift_field *f)
{
	size_t n = cp_thrift_elements(b, f, CP_THRIFT_IN_STRUCT);

	for (size_t i = 0; i < n && !b->failed; i++)
		read_field(p, b);
	b->failed |= p->fields.len + 1 != n;
}

static void
read_meta(struct cp_parquet *p, struct cp_bytes *b, size_t *rows)
{
	struct cp_thrift_field f = { 0 };
	int64_t codec = -1, offset = -1, size = -1, n = -1;

	while (cp_thrift_next(b, &f))
		switch (f.id) {
		case 4: codec = cp_thrift_number(b, &f); break;
		case 5: n = cp_thrift_number(b, &f); break;
		case 7: size = cp_thrift_number(b, &f); break;
		case 9: offset = cp_thrift_number(b, &f); break;
		default: cp_thrift_skip(b, &f);
		}
	b->failed |= codec != ZSTD || n < 0 || size < 0 || offset < MAGIC ||
		     (uint64_t)offset > p->size ||
		     (uint64_t)size > p->size - (uint64_t)offset;
	if (b->failed)
		return;
	*rows = (size_t)n;
	*cp_vec_push(&p->chunks) =
	    (struct cp_parquet_chunk){ (size_t)offset, (size_t)size };
}

static void
read_chunk(struct cp_parquet *p, struct cp_bytes *b, size_t *rows)
{
	struct cp_thrift_field f = { 0 };

	while (cp_thrift_next(b, &f))
		if (f.id == 3 && cp_thrift_enter(b, &f))
			read_meta(p, b, rows);
		else
			cp_thrift_skip(b, &f);
}

static void
read_group(struct cp_parquet *p, struct cp_bytes *b)
{
	struct cp_thrift_field f = { 0 };
	size_t had = p->chunks.len, rows = 0, n = 0;

	while (cp_thrift_next(b, &f)) {
		if (f.id != 1) {
			cp_thrift_skip(b, &f);
			continue;
		}
		n = cp_thrift_elements(b, &f, CP_THRIFT_IN_STRUCT);
		for (size_t i = 0; i < n && !b->failed; i++) {
			size_t had_rows = rows;

			read_chunk(p, b, &rows);
			b->failed |= i != 0 && rows != had_rows;
		}
	}
	b->failed |=
	    p->chunks.len - had != p->fields.len || rows > CP_PARQUET_GROUP;
	p->rows += rows;
	*cp_vec_push(&p->groups) = rows;
}

static void
read_groups(
    struct cp_parquet *p, struct cp_bytes *b, const struct cp_thrift_field *f)
{
	size_t n = cp_thrift_elements(b, f, CP_THRIFT_IN_STRUCT);

	for (size_t i = 0; i < n && !b->failed; i++)
		read_group(p, b);
}

static bool
read_footer(struct cp_parquet *p, struct cp_bytes *b)
{
	struct cp_thrift_field f = { 0 };
	int64_t rows = -1;

	while (cp_thrift_next(b, &f))
		switch (f.id) {
		case 2: read_schema(p, b, &f); break;
		case 3: rows = cp_thrift_number(b, &f); break;
		case 4: read_groups(p, b, &f); break;
		default: cp_thrift_skip(b, &f);
		}
	return !b->failed && rows >= 0 && (uint64_t)rows == p->rows;
}

bool
cp_parquet_open(
    struct cp_parquet *p, const uint8_t *data, size_t size, uint64_t left)
{
	struct cp_bytes b;
	uint32_t n;

	*p = (struct cp_parquet){ .data = data, .size = size, .left = left };
	if (size < ENDS || memcmp(data, "PAR1", MAGIC) != 0 ||
	    memcmp(data + size - MAGIC, "PAR1", MAGIC) != 0)
		return false;
	b = cp_bytes_of(data + size - 8, 4, false);
	n = cp_bytes_u32(&b);
	if (n > size - ENDS)
		return false;
	b = cp_bytes_of(data + size - 8 - n, n, false);
	return read_footer(p, &b);
}

void
cp_parquet_close(struct cp_parquet *p)
{
	cp_vec_free(&p->fields);
	cp_vec_free(&p->chunks);
	cp_vec_free(&p->groups);
}
