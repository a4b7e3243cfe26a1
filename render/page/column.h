/* SPDX-License-Identifier: MIT */
/*
 * render/page/column.h: columns of numbers as the page carries them.
 *
 * A column is the text of a <script> that browsers do not run: numbers in
 * planes of bytes (the lowest byte of all of them, then the next ...),
 * deflated, in base64.  docs/page-format.md describes it; change both together.
 */
#ifndef CP_RENDER_PAGE_COLUMN_H
#define CP_RENDER_PAGE_COLUMN_H

#include "base/vec.h"
#include "render/common/out.h"

/* How a reader keeps the numbers. */
enum cp_page_type {
	CP_PAGE_U32,
	CP_PAGE_F64, /* beyond 2^53 not exact */
	CP_PAGE_U64, /* two columns of 32 bits, and one that is not exact */
};

/* What was done to each number; a reader undoes it. */
enum {
	CP_PAGE_PLAIN = 0,
	CP_PAGE_DELTA = 1, /* the difference to the one before, zigzag */
	CP_PAGE_BACK = 2,  /* how much less than its own index it is */
	CP_PAGE_MORE = 4,  /* one more: "none" becomes 0 */
};

/* A column that was made. */
struct cp_page_block {
	const char *name, *code; /* code: of bytes; NULL: they are numbers */
	enum cp_page_type type;
	unsigned how;
	size_t n;
	uint8_t *raw, *packed;
	size_t size, packed_size;
};

struct cp_page_columns {
	uint64_t *value; /* scratch: the numbers of a column */
	size_t value_cap;
	size_t bytes; /* of all blocks */
	CP_VEC(struct cp_page_block) blocks;
};

/* Room for the n numbers of the next column. */
uint64_t *cp_page_values(struct cp_page_columns *, size_t n);
/* Makes a column of them; they are changed.  The name is kept. */
void cp_page_column(struct cp_page_columns *, const char *name,
    enum cp_page_type, unsigned how, size_t n);
/* Adds raw bytes; code tells readers their type.  Both must stay valid. */
void cp_page_bytes(struct cp_page_columns *, const char *name, const char *code,
    const void *, size_t size);
/* Writes all columns, packed by up to `jobs' threads, and frees them. */
void cp_page_columns_put(
    struct cp_page_columns *, unsigned jobs, struct cp_out *);

void cp_page_base64(struct cp_out *, const uint8_t *, size_t n);

#endif
