/* SPDX-License-Identifier: MIT */
#include "render/export/snapshot/chunk.h"

#include <stdatomic.h>

#include "base/limits.h"
#include "base/pool.h"
#include "render/export/snapshot/page.h"

/* Cells from which on threads are worth starting. */
#define WORTH_THREADS ((uint64_t)1 << 19)

struct packing {
	struct cp_parquet_chunk *chunk;
	size_t n;
	atomic_size_t taken;
};

void
cp_parquet_chunk_init(struct cp_parquet_chunk *c,
    const struct cp_parquet_table *t, size_t column, size_t first, size_t rows)
{
	*c = (struct cp_parquet_chunk){ .table = t,
		.column = column,
		.first = first,
		.rows = CP_MIN(rows, CP_GROUP_ROWS) };
	cp_buf_init(&c->bytes, CP_MAX_EXPORT);
}

static void
pack(struct cp_pager *pager, struct cp_parquet_chunk *c)
{
	pager->plain = 0;
	for (size_t at = 0; at < c->rows;)
		at += cp_page_put(pager, &c->bytes, c->table, c->column,
		    c->first + at, c->rows - at);
	c->values += c->rows;
	c->plain += pager->plain;
}

static void *
work(void *ctx)
{
	struct packing *p = ctx;
	struct cp_pager pager;
	size_t i;

	cp_pager_init(&pager);
	while ((i = atomic_fetch_add(&p->taken, 1)) < p->n)
		pack(&pager, &p->chunk[i]);
	cp_pager_free(&pager);
	return NULL;
}

void
cp_parquet_pack(struct cp_parquet_chunk *chunk, size_t n, unsigned jobs)
{
	struct packing p = { .chunk = chunk, .n = n };
	uint64_t cells = 0;

	for (size_t i = 0; i < n; i++)
		cells += chunk[i].rows;
	cp_pool_share(cells >= WORTH_THREADS
			  ? CP_MIN(CP_MIN(jobs, CP_MAX_WORKERS), n)
			  : 1,
	    work, &p);
}
