/* SPDX-License-Identifier: MIT */
#include "render/export/snapshot/tables.h"

#include "base/limits.h"
#include "base/vec.h"
#include "render/export/snapshot/chunk.h"

typedef CP_VEC(struct cp_parquet_chunk) chunk_list;

static void
add_chunks(chunk_list *to, const struct cp_parquet_table *t)
{
	for (size_t at = 0; at < t->rows; at += CP_GROUP_ROWS)
		for (size_t i = 0; i < t->n_columns; i++)
			cp_parquet_chunk_init(
			    cp_vec_push(to), t, i, at, t->rows - at);
}

/* Returns how many of the chunks are the table's. */
static size_t
put_file(struct cp_buf *out, const struct cp_parquet_table *table,
    struct cp_parquet_chunk *chunks)
{
	size_t groups = (table->rows + CP_GROUP_ROWS - 1) / CP_GROUP_ROWS;
	size_t n = groups * table->n_columns, start = out->len;

	cp_buf_str(out, CP_PARQUET_MAGIC);
	for (size_t i = 0; i < n; i++) {
		struct cp_parquet_chunk *c = &chunks[i];

		c->offset = out->len - start;
		cp_buf_add(out, cp_buf_text(&c->bytes), c->bytes.len);
		c->size = c->bytes.len;
		out->full |= c->bytes.full;
		cp_buf_free(&c->bytes);
	}
	cp_parquet_footer(out, table, table->rows, chunks, groups);
	return n;
}

void
cp_parquet_write(struct cp_buf *const out[],
    const struct cp_parquet_table *tables, size_t n, unsigned jobs)
{
	chunk_list all = { 0 };
	size_t at = 0;

	for (size_t i = 0; i < n; i++)
		add_chunks(&all, &tables[i]);
	cp_parquet_pack(all.data, all.len, jobs);
	for (size_t i = 0; i < n; i++)
		at += put_file(out[i], &tables[i], all.data + at);
	cp_vec_free(&all);
}
