/* SPDX-License-Identifier: MIT */
/* footer: what the end of a Parquet file tells of its columns. */
#include "config.h"
#include "render/export/snapshot/chunk.h"
#include "render/export/snapshot/page.h"
#include "render/export/snapshot/thrift.h"

enum { UTF8 = 0, REQUIRED = 0, ZSTD = 6, RLE = 3 };

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
    const struct cp_parquet_chunk *c)
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
	cp_thrift_i64(t, 5, (int64_t)c->values);
	cp_thrift_i64(t, 6, (int64_t)c->plain);
	cp_thrift_i64(t, 7, (int64_t)c->size);
	cp_thrift_i64(t, 9, (int64_t)c->offset);
	cp_thrift_end(t);
	cp_thrift_end(t);
}

static void
put_group(struct cp_thrift *t, const struct cp_parquet_table *table,
    const struct cp_parquet_chunk *chunks)
{
	uint64_t plain = 0;

	cp_thrift_item_begin(t);
	cp_thrift_list(t, 1, CP_THRIFT_STRUCT, table->n_columns);
	for (size_t i = 0; i < table->n_columns; i++) {
		put_chunk(t, &table->columns[i], &chunks[i]);
		plain += chunks[i].plain;
	}
	cp_thrift_i64(t, 2, (int64_t)plain);
	cp_thrift_i64(t, 3, (int64_t)chunks[0].values);
	cp_thrift_end(t);
}

void
cp_parquet_footer(struct cp_buf *out, const struct cp_parquet_table *table,
    uint64_t rows, const struct cp_parquet_chunk *chunks, size_t groups)
{
	struct cp_thrift t = { .to = out };
	size_t start = out->len;

	cp_thrift_i32(&t, 1, 1);
	put_schema(&t, table);
	cp_thrift_i64(&t, 3, (int64_t)rows);
	cp_thrift_list(&t, 4, CP_THRIFT_STRUCT, groups);
	for (size_t i = 0; i < groups; i++)
		put_group(&t, table, chunks + i * table->n_columns);
	cp_thrift_text(&t, 6, PACKAGE_STRING);
	cp_buf_char(out, 0);
	cp_page_u32(out, (uint32_t)(out->len - start));
	cp_buf_str(out, CP_PARQUET_MAGIC);
}
