/* SPDX-License-Identifier: MIT */
/* The values of a Parquet file's columns. */
#include "base/parquet/parquet.h"

#include <zstd.h>

#include "base/parquet/delta.h"
#include "base/parquet/thrift.h"

enum { INT32 = 1, INT64 = 2, BYTES = 6 };
enum { DATA_PAGE = 0, PLAIN = 0, DELTA_BINARY_PACKED = 5 };

struct page {
	int64_t kind, plain, packed, rows, encoding;
	struct cp_bytes values; /* inflated */
};

int
cp_parquet_column(const struct cp_parquet *p, const char *name)
{
	for (size_t i = 0; i < p->fields.len; i++)
		if (p->fields.data[i].name_size == strlen(name) &&
		    memcmp(p->fields.data[i].name, name, strlen(name)) == 0)
			return (int)i;
	return -1;
}

static void
read_data_head(struct cp_bytes *b, struct page *page)
{
	struct cp_thrift_field f = { 0 };

	while (cp_thrift_next(b, &f))
		if (f.id == 1)
			page->rows = cp_thrift_number(b, &f);
		else if (f.id == 2)
			page->encoding = cp_thrift_number(b, &f);
		else
			cp_thrift_skip(b, &f);
}

static void
read_head(struct cp_bytes *b, struct page *page)
{
	struct cp_thrift_field f = { 0 };

	*page = (struct page){ -1, -1, -1, -1, -1, { 0 } };
	while (cp_thrift_next(b, &f))
		switch (f.id) {
		case 1: page->kind = cp_thrift_number(b, &f); break;
		case 2: page->plain = cp_thrift_number(b, &f); break;
		case 3: page->packed = cp_thrift_number(b, &f); break;
		case 5:
			if (cp_thrift_enter(b, &f))
				read_data_head(b, page);
			break;
		default: cp_thrift_skip(b, &f);
		}
}

/* Inflates the next page to memory that the caller frees; NULL: damaged. */
static void *
read_page(
    struct cp_parquet *p, struct cp_bytes *b, size_t most, struct page *page)
{
	const uint8_t *packed;
	void *plain;
	size_t n;

	read_head(b, page);
	if (b->failed || page->kind != DATA_PAGE || page->rows <= 0 ||
	    (uint64_t)page->rows > CP_MIN(most, CP_PARQUET_PAGE) ||
	    page->plain < 0 || (uint64_t)page->plain > CP_PARQUET_PLAIN ||
	    (uint64_t)page->plain > p->left || page->packed < 0)
		return NULL;
	packed = cp_bytes_take(b, (size_t)page->packed);
	if (packed == NULL)
		return NULL;
	p->left -= (uint64_t)page->plain;
	plain = cp_xmalloc((size_t)page->plain + 1);
	n = ZSTD_decompress(
	    plain, (size_t)page->plain, packed, (size_t)page->packed);
	if (ZSTD_isError(n) || n != (size_t)page->plain) {
		free(plain);
		return NULL;
	}
	page->values = cp_bytes_of(plain, n, false);
	return plain;
}

static void
plain_numbers(struct cp_bytes *b, int64_t *out, size_t n, int type)
{
	for (size_t i = 0; i < n && !b->failed; i++)
		out[i] = type == INT32 ? (int32_t)cp_bytes_u32(b)
				       : (int64_t)cp_bytes_u64(b);
}

static void
page_numbers(struct page *page, int64_t *out, int type)
{
	size_t n = (size_t)page->rows;

	if (page->encoding == PLAIN)
		plain_numbers(&page->values, out, n, type);
	else if (page->encoding == DELTA_BINARY_PACKED)
		cp_delta_read(&page->values, out, n, type == INT32 ? 32 : 64);
	else
		page->values.failed = true;
}

static void
page_texts(struct page *page, struct cp_arena *arena, const char **out)
{
	struct cp_bytes *b = &page->values;

	b->failed |= page->encoding != PLAIN;
	for (size_t i = 0; i < (size_t)page->rows && !b->failed; i++) {
		uint32_t n = cp_bytes_u32(b);
		const uint8_t *text = cp_bytes_take(b, n);

		b->failed |= text == NULL || memchr(text, 0, n) != NULL;
		out[i] = b->failed
			     ? ""
			     : cp_arena_strndup(arena, (const char *)text, n);
	}
}

/* One of numbers and texts is NULL. */
static bool
read_column(struct cp_parquet *p, size_t group, int column, int64_t *numbers,
    struct cp_arena *arena, const char **texts)
{
	const struct cp_parquet_chunk *c =
	    &p->chunks.data[group * p->fields.len + (size_t)column];
	struct cp_bytes b = cp_bytes_of(p->data + c->offset, c->size, false);
	size_t at = 0, rows = p->groups.data[group];
	struct page page;

	while (at < rows) {
		void *plain = read_page(p, &b, rows - at, &page);

		if (plain == NULL)
			return false;
		if (texts != NULL)
			page_texts(&page, arena, texts + at);
		else
			page_numbers(
			    &page, numbers + at, p->fields.data[column].type);
		free(plain);
		if (page.values.failed)
			return false;
		at += (size_t)page.rows;
	}
	return true;
}

bool
cp_parquet_numbers(struct cp_parquet *p, size_t group, int column, int64_t *out)
{
	int type = column >= 0 ? p->fields.data[column].type : -1;

	return (type == INT32 || type == INT64) &&
	       read_column(p, group, column, out, NULL, NULL);
}

bool
cp_parquet_texts(struct cp_parquet *p, size_t group, int column,
    struct cp_arena *arena, const char **out)
{
	return column >= 0 && p->fields.data[column].type == BYTES &&
	       read_column(p, group, column, NULL, arena, out);
}
