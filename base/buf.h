/* SPDX-License-Identifier: MIT */
/*
 * base/buf.h: a growing byte buffer with a maximum size.
 *
 * data ends in a NUL once something was added.  An addition that would exceed
 * max is dropped as a whole, and `full` is set.
 */
#ifndef CP_BASE_BUF_H
#define CP_BASE_BUF_H

#include <stdarg.h>

#include "base/mem.h"

struct cp_buf {
	char *data;
	size_t len, cap, max;
	bool full;
};

void cp_buf_init(struct cp_buf *, size_t max);
/* slow path of cp_buf_add */
void cp_buf_grow(struct cp_buf *, const void *, size_t n);
void cp_buf_u64(struct cp_buf *, uint64_t); /* decimal */
void cp_buf_hex(struct cp_buf *, uint64_t); /* no prefix, no padding */
/* bytes as hexadecimal digits */
void cp_buf_hex_of(struct cp_buf *, const uint8_t *, size_t n);
void cp_buf_printf(struct cp_buf *, const char *, ...) CP_PRINTF(2, 3);
void cp_buf_vprintf(struct cp_buf *, const char *, va_list) CP_PRINTF(2, 0);
/*
 * Adds the first n bytes of the text; of more than `most' so many and "...",
 * but no part of a character.
 */
void cp_buf_cut(struct cp_buf *, const char *, size_t n, size_t most);
const char *cp_buf_text(const struct cp_buf *); /* never NULL */
void cp_buf_free(struct cp_buf *);

static inline void
cp_buf_add(struct cp_buf *b, const void *p, size_t n)
{
	if (CP_UNLIKELY(n >= b->cap - b->len || n > b->max - b->len)) {
		cp_buf_grow(b, p, n);
		return;
	}
	memcpy(b->data + b->len, p, n);
	b->len += n;
	b->data[b->len] = '\0';
}

static inline void
cp_buf_str(struct cp_buf *b, const char *s)
{
	cp_buf_add(b, s, strlen(s));
}

static inline void
cp_buf_char(struct cp_buf *b, char c)
{
	cp_buf_add(b, &c, 1);
}

/* Empties the buffer and keeps its memory. */
static inline void
cp_buf_reset(struct cp_buf *b)
{
	b->len = 0;
	if (b->data != NULL)
		b->data[0] = '\0';
}

/* The decimal digits of a number: digits[at] to the end. */
struct cp_decimal {
	char digits[20];
	uint8_t at;
};
struct cp_decimal cp_decimal(uint64_t);

#endif
