/* SPDX-License-Identifier: MIT */
#include "render/export/snapshot/parquet.h"

#include "base/limits.h"
#include "base/vec.h"
#include "config.h"
#include "render/export/snapshot/page.h"
#include "render/export/snapshot/thrift.h"

#define MAGIC "PAR1"

/* Rows of a row group, which readers take as a whole. */
#define GROUP_ROWS ((size_t)1 << 20)

enum { UTF8 = 0, REQUIRED = 0, ZSTD = 6, RLE = 3 };

/* One column of one row group, as the footer tells it. */
struct chunk {
	uint64_t offset, size, plain;
	size_t rows;
};

struct writer {
	struct cp_buf *out;
	const struct cp_parquet_table *table;
	size_t start; /* of the file in out */
	CP_VEC(struct chunk) chunks;
	struct cp_pager pager;
};

static void
write_chunk(struct writer *w, size_t column, size_t first, size_t rows)
{
	struct chunk c = { .offset = w->out->len - w->start, .rows = rows };

	for (size_t at = 0; at < rows;) {
		size_t n = cp_page_put(
		    &w->pager, w->out, w->table, column, first + at, rows - at);

		at += n;
	}
	c.size = w->out->len - w->start - c.offset;
	c.plain = w->pager.plain;
	w->pager.plain = 0;
	*cp_vec_push(&w->chunks) = c;
}

static void
put_schema(struct cp_thrift *t, const struct cp_parquet_table *table)
{
	cp_thrift_list(t, 2, CP_THRIFT_STRUCT, table->n_columns + 1);
	cp_thrift_item_begin(t);
	cp_thrift_text(t, 4, table->name);
	cp_thrift_i32(t, 5, (int64_t)table->n_columns);
	cp_thrift_end(t);
	for (size_t i = 0; i < table->n_columns; i++) {
		enum cp_column_kind kind = table->columns[i].kind;

		cp_thrift_item_begin(t);
		cp_thrift_i32(t, 1, cp_page_type(kind));
		cp_thrift_i32(t, 3, REQUIRED);
		cp_thrift_text(t, 4, table->columns[i].name);
		if (cp_page_type(kind) == CP_PAGE_BYTES)
			cp_thrift_i32(t, 6, UTF8);
		cp_thrift_end(t);
	}
}

static void
put_chunk(struct cp_thrift *t, const struct cp_parquet_column *column,
    const struct chunk *c)
{
	cp_thrift_item_begin(t);
	cp_thrift_i64(t, 2, (int64_t)c->offset);
	cp_thrift_begin(t, 3);
	cp_thrift_i32(t, 1, cp_page_type(column->kind));
	cp_thrift_list(t, 2, CP_THRIFT_I32, 2);
	cp_thrift_item_i32(t, cp_page_encoding(column->kind));
	cp_thrift_item_i32(t, RLE);
	cp_thrift_list(t, 3, CP_THRIFT_BINARY, 1);
	cp_thrift_item_text(t, column->name);
	cp_thrift_i32(t, 4, ZSTD);
	cp_thrift_i64(t, 5, (int64_t)c->rows);
	cp_thrift_i64(t, 6, (int64_t)c->plain);
	cp_thrift_i64(t, 7, (int64_t)c->size);
	cp_thrift_i64(t, 9, (int64_t)c->offset);
	cp_thrift_end(t);
	cp_thrift_end(t);
}

static void
put_group(struct cp_thrift *t, const struct cp_parquet_table *table,
    const struct chunk *chunks)
{
	uint64_t plain = 0;

	cp_thrift_item_begin(t);
	cp_thrift_list(t, 1, CP_THRIFT_STRUCT, table->n_columns);
	for (size_t i = 0; i < table->n_columns; i++) {
		put_chunk(t, &table->columns[i], &chunks[i]);
		plain += chunks[i].plain;
	}
	cp_thrift_i64(t, 2, (int64_t)plain);
	cp_thrift_i64(t, 3, (int64_t)chunks[0].rows);
	cp_thrift_end(t);
}

static void
put_footer(struct writer *w)
{
	const struct cp_parquet_table *table = w->table;
	struct cp_thrift t = { .to = w->out };
	size_t start = w->out->len;
	size_t groups = w->chunks.len / table->n_columns;

	cp_thrift_i32(&t, 1, 1);
	put_schema(&t, table);
	cp_thrift_i64(&t, 3, (int64_t)table->rows);
	cp_thrift_list(&t, 4, CP_THRIFT_STRUCT, groups);
	for (size_t i = 0; i < groups; i++)
		put_group(&t, table, w->chunks.data + i * table->n_columns);
	cp_thrift_text(&t, 6, PACKAGE_STRING);
	cp_buf_char(w->out, 0);
	cp_page_u32(w->out, (uint32_t)(w->out->len - start));
}

void
cp_parquet_write(struct cp_buf *out, const struct cp_parquet_table *table)
{
	struct writer w = { .out = out, .table = table, .start = out->len };

	cp_buf_str(out, MAGIC);
	cp_pager_init(&w.pager);
	for (size_t at = 0; at < table->rows; at += GROUP_ROWS)
		for (size_t i = 0; i < table->n_columns; i++)
			write_chunk(
			    &w, i, at, CP_MIN(table->rows - at, GROUP_ROWS));
	put_footer(&w);
	cp_buf_str(out, MAGIC);
	cp_pager_free(&w.pager);
	cp_vec_free(&w.chunks);
}
