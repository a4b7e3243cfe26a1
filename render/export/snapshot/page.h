/* SPDX-License-Identifier: MIT */
/*
 * render/export/snapshot/page.h: the pages of a Parquet file: some values of
 * one column, encoded and compressed.
 */
#ifndef CP_RENDER_EXPORT_SNAPSHOT_PAGE_H
#define CP_RENDER_EXPORT_SNAPSHOT_PAGE_H

#include "render/export/snapshot/table.h"
#include "base/buf.h"

/* Parquet's physical types. */
enum {
	CP_PAGE_INT32 = 1,
	CP_PAGE_INT64 = 2,
	CP_PAGE_DOUBLE = 5,
	CP_PAGE_BYTES = 6,
};

/* Values of a page; texts may end it early. */
#define CP_PAGE_ROWS ((size_t)1 << 17)

struct ZSTD_CCtx_s;

struct cp_pager {
	struct ZSTD_CCtx_s *zstd;
	uint64_t *numbers; /* the numbers of one page */
	struct cp_buf values, text;
	uint64_t plain; /* bytes of the chunk so far, with headers */
};

void cp_pager_init(struct cp_pager *);
void cp_pager_free(struct cp_pager *);
/* Appends a page of at most `rows' values; returns how many it has. */
size_t cp_page_put(struct cp_pager *, struct cp_buf *out,
    const struct cp_parquet_table *, size_t column, size_t first, size_t rows);
int cp_page_type(enum cp_column_kind);
int cp_page_encoding(enum cp_column_kind);
/* Appends a number of four bytes, lowest first. */
void cp_page_u32(struct cp_buf *, uint32_t);

/* delta.c: Parquet's DELTA_BINARY_PACKED: the steps from number to number,
 * packed to as many bits as the widest of 32 needs. */

/* Appends n numbers of 32 or 64 bits; steps wrap around at that width. */
void cp_delta_put(
    struct cp_buf *, const uint64_t *numbers, size_t n, unsigned bits);

#endif
