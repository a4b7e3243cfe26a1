/* SPDX-License-Identifier: MIT */
#include "render/export/snapshot/parquet.h"

#include <stdatomic.h>

#include "base/limits.h"
#include "base/pool.h"
#include "base/vec.h"
#include "config.h"
#include "render/export/snapshot/page.h"
#include "render/export/snapshot/thrift.h"

#define MAGIC "PAR1"

/* Rows of a row group, which readers take as a whole. */
#define GROUP_ROWS ((size_t)1 << 20)

enum { UTF8 = 0, REQUIRED = 0, ZSTD = 6, RLE = 3 };

/* Cells of all tables from which on threads are worth starting. */
#define WORTH_THREADS ((uint64_t)1 << 19)

/* One column of one row group, and what the footer tells of it. */
struct chunk {
	const struct cp_parquet_table *table;
	size_t column, first, rows;
	struct cp_buf bytes;
	uint64_t offset, size, plain;
};

struct packing {
	CP_VEC(struct chunk) chunks; /* of all tables, in their order */
	atomic_size_t taken;
	uint64_t cells;
};

static void
add_chunks(struct packing *p, const struct cp_parquet_table *t)
{
	p->cells += (uint64_t)t->rows * t->n_columns;
	for (size_t at = 0; at < t->rows; at += GROUP_ROWS)
		for (size_t i = 0; i < t->n_columns; i++)
			*cp_vec_push(&p->chunks) = (struct chunk){ .table = t,
				.column = i,
				.first = at,
				.rows = CP_MIN(t->rows - at, GROUP_ROWS) };
}

static void
pack(struct cp_pager *pager, struct chunk *c)
{
	cp_buf_init(&c->bytes, CP_MAX_EXPORT);
	pager->plain = 0;
	for (size_t at = 0; at < c->rows;)
		at += cp_page_put(pager, &c->bytes, c->table, c->column,
		    c->first + at, c->rows - at);
	c->size = c->bytes.len;
	c->plain = pager->plain;
}

static void *
work(void *ctx)
{
	struct packing *p = ctx;
	struct cp_pager pager;
	size_t i;

	cp_pager_init(&pager);
	while ((i = atomic_fetch_add(&p->taken, 1)) < p->chunks.len)
		pack(&pager, &p->chunks.data[i]);
	cp_pager_free(&pager);
	return NULL;
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
put_footer(struct cp_buf *out, const struct cp_parquet_table *table,
    const struct chunk *chunks, size_t groups)
{
	struct cp_thrift t = { .to = out };
	size_t start = out->len;

	cp_thrift_i32(&t, 1, 1);
	put_schema(&t, table);
	cp_thrift_i64(&t, 3, (int64_t)table->rows);
	cp_thrift_list(&t, 4, CP_THRIFT_STRUCT, groups);
	for (size_t i = 0; i < groups; i++)
		put_group(&t, table, chunks + i * table->n_columns);
	cp_thrift_text(&t, 6, PACKAGE_STRING);
	cp_buf_char(out, 0);
	cp_page_u32(out, (uint32_t)(out->len - start));
}

/* Returns how many of the chunks are the table's. */
static size_t
put_file(struct cp_buf *out, const struct cp_parquet_table *table,
    struct chunk *chunks)
{
	size_t groups = (table->rows + GROUP_ROWS - 1) / GROUP_ROWS;
	size_t n = groups * table->n_columns, start = out->len;

	cp_buf_str(out, MAGIC);
	for (size_t i = 0; i < n; i++) {
		chunks[i].offset = out->len - start;
		cp_buf_add(out, cp_buf_text(&chunks[i].bytes), chunks[i].size);
		out->full |= chunks[i].bytes.full;
		cp_buf_free(&chunks[i].bytes);
	}
	put_footer(out, table, chunks, groups);
	cp_buf_str(out, MAGIC);
	return n;
}

void
cp_parquet_write(struct cp_buf *const out[],
    const struct cp_parquet_table *tables, size_t n, unsigned jobs)
{
	struct packing p = { .cells = 0 };
	size_t at = 0;

	for (size_t i = 0; i < n; i++)
		add_chunks(&p, &tables[i]);
	cp_pool_share(p.cells >= WORTH_THREADS
			  ? CP_MIN(CP_MIN(jobs, CP_MAX_WORKERS), p.chunks.len)
			  : 1,
	    work, &p);
	for (size_t i = 0; i < n; i++)
		at += put_file(out[i], &tables[i], p.chunks.data + at);
	cp_vec_free(&p.chunks);
}
