/* SPDX-License-Identifier: MIT */
#include "render/export/snapshot/page.h"

#include <zstd.h>

#include "render/common/escape.h"
#include "render/export/snapshot/thrift.h"

/* Bytes of text after which a page ends early. */
#define PAGE_TEXT ((size_t)8 << 20)

/*
 * Level of zstd.  With 6 for plain columns a snapshot takes up to a fifth more
 * CPU time and less than 2 % less room.
 */
enum { LEVEL = 3 };
enum { DATA_PAGE = 0, PLAIN = 0, RLE = 3, DELTA_BINARY_PACKED = 5 };

int
cp_page_type(enum cp_column_kind kind)
{
	switch (kind) {
	case CP_COLUMN_I32:
	case CP_COLUMN_DELTA32:
	case CP_COLUMN_ROW: return CP_PAGE_INT32;
	case CP_COLUMN_I64:
	case CP_COLUMN_DELTA64: return CP_PAGE_INT64;
	case CP_COLUMN_DOUBLE: return CP_PAGE_DOUBLE;
	default: return CP_PAGE_BYTES;
	}
}

int
cp_page_encoding(enum cp_column_kind kind)
{
	return kind == CP_COLUMN_DELTA32 || kind == CP_COLUMN_DELTA64 ||
		       kind == CP_COLUMN_ROW
		   ? DELTA_BINARY_PACKED
		   : PLAIN;
}

void
cp_page_u32(struct cp_buf *b, uint32_t v)
{
	uint8_t bytes[4] = { (uint8_t)v, (uint8_t)(v >> 8), (uint8_t)(v >> 16),
		(uint8_t)(v >> 24) };

	cp_buf_add(b, bytes, sizeof(bytes));
}

void
cp_pager_init(struct cp_pager *p)
{
	*p = (struct cp_pager){ .zstd = ZSTD_createCCtx() };
	if (p->zstd == NULL)
		cp_out_of_memory(0);
	p->numbers = cp_xcalloc(CP_PAGE_ROWS, sizeof(*p->numbers));
	cp_buf_init(&p->values, SIZE_MAX / 2);
	cp_buf_init(&p->text, SIZE_MAX / 2);
}

void
cp_pager_free(struct cp_pager *p)
{
	ZSTD_freeCCtx(p->zstd);
	free(p->numbers);
	cp_buf_free(&p->values);
	cp_buf_free(&p->text);
}

static const uint8_t *
field_at(const struct cp_parquet_table *t, size_t column, size_t row)
{
	static const uint8_t zero[8];
	const struct cp_parquet_column *c = &t->columns[column];
	const uint8_t *base;

	if (t->base == NULL) {
		base = t->bases[column];
		return base != NULL ? base + row * c->size : zero;
	}
	base = t->base;
	return base + row * t->stride + c->at;
}

/* Fields of 32 bits have -1 where they have no value, as those of 64. */
static uint64_t
number_at(const struct cp_parquet_table *t, size_t column, size_t row)
{
	const struct cp_parquet_column *c = &t->columns[column];
	uint64_t wide;
	uint32_t narrow;

	if (c->kind == CP_COLUMN_ROW)
		return row;
	switch (c->size) {
	case 1: return *field_at(t, column, row);
	case sizeof(narrow):
		memcpy(&narrow, field_at(t, column, row), sizeof(narrow));
		return narrow;
	default:
		memcpy(&wide, field_at(t, column, row), sizeof(wide));
		return wide;
	}
}

/*
 * Adds a text.  Invalid UTF-8 and hidden characters are escaped as in other
 * exports.
 */
static void
add_text(struct cp_pager *p, const char *s)
{
	cp_buf_reset(&p->text);
	if (s != NULL)
		cp_escape_terminal(&p->text, s);
	cp_page_u32(&p->values, (uint32_t)p->text.len);
	cp_buf_add(&p->values, cp_buf_text(&p->text), p->text.len);
}

static void
add_cell(struct cp_pager *p, const struct cp_parquet_table *t, size_t column,
    size_t row)
{
	const struct cp_parquet_column *c = &t->columns[column];
	const char *s = NULL;
	struct cp_buf made;
	uint64_t word;

	if (c->kind == CP_COLUMN_MADE) {
		cp_buf_init(&made, SIZE_MAX / 2);
		c->text(&made, field_at(t, column, row));
		add_text(p, cp_buf_text(&made));
		cp_buf_free(&made);
		return;
	}
	if (c->kind == CP_COLUMN_WORD) {
		word = number_at(t, column, row);
		s = word < c->n_words ? c->words[word] : NULL;
	} else {
		memcpy(&s, field_at(t, column, row), sizeof(s));
	}
	add_text(p, s);
}

static size_t
add_texts(struct cp_pager *p, const struct cp_parquet_table *t, size_t column,
    size_t first, size_t rows)
{
	size_t n = 0;

	while (n < rows && p->values.len < PAGE_TEXT)
		add_cell(p, t, column, first + n++);
	return n;
}

static void
add_plain(struct cp_pager *p, size_t n, unsigned bytes)
{
	for (size_t i = 0; i < n; i++) {
		cp_page_u32(&p->values, (uint32_t)p->numbers[i]);
		if (bytes == 8)
			cp_page_u32(
			    &p->values, (uint32_t)(p->numbers[i] >> 32));
	}
}

static void
add_numbers(struct cp_pager *p, const struct cp_parquet_table *t, size_t column,
    size_t first, size_t rows)
{
	enum cp_column_kind kind = t->columns[column].kind;
	unsigned bytes = cp_page_type(kind) == CP_PAGE_INT32 ? 4 : 8;

	for (size_t i = 0; i < rows; i++)
		p->numbers[i] = number_at(t, column, first + i);
	if (cp_page_encoding(kind) == PLAIN)
		add_plain(p, rows, bytes);
	else
		cp_delta_put(&p->values, p->numbers, rows, 8 * bytes);
}

static void
put_header(struct cp_pager *p, struct cp_buf *out, size_t packed, size_t rows,
    int encoding)
{
	struct cp_thrift t = { .to = out };
	size_t start = out->len;

	cp_thrift_i32(&t, 1, DATA_PAGE);
	cp_thrift_i32(&t, 2, (int64_t)p->values.len);
	cp_thrift_i32(&t, 3, (int64_t)packed);
	cp_thrift_begin(&t, 5);
	cp_thrift_i32(&t, 1, (int64_t)rows);
	cp_thrift_i32(&t, 2, encoding);
	cp_thrift_i32(&t, 3, RLE);
	cp_thrift_i32(&t, 4, RLE);
	cp_thrift_end(&t);
	cp_buf_char(out, 0);
	p->plain += out->len - start + p->values.len;
}

size_t
cp_page_put(struct cp_pager *p, struct cp_buf *out,
    const struct cp_parquet_table *t, size_t column, size_t first, size_t rows)
{
	enum cp_column_kind kind = t->columns[column].kind;
	CP_CLEANUP(cp_cleanup_free) void *packed = NULL;
	size_t room, size;

	rows = CP_MIN(rows, CP_PAGE_ROWS);
	cp_buf_reset(&p->values);
	if (cp_page_type(kind) == CP_PAGE_BYTES)
		rows = add_texts(p, t, column, first, rows);
	else
		add_numbers(p, t, column, first, rows);
	room = ZSTD_compressBound(p->values.len);
	packed = cp_xmalloc(room);
	size = ZSTD_compressCCtx(p->zstd, packed, room, cp_buf_text(&p->values),
	    p->values.len, LEVEL);
	if (ZSTD_isError(size))
		cp_out_of_memory(0);
	put_header(p, out, size, rows, cp_page_encoding(kind));
	cp_buf_add(out, packed, size);
	return rows;
}
