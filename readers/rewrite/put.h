/* SPDX-License-Identifier: MIT */
/* readers/rewrite/put.h: adds numbers in the byte order of a capture. */
#ifndef CP_READERS_REWRITE_PUT_H
#define CP_READERS_REWRITE_PUT_H

#include "base/buf.h"

static inline void
cp_put16(struct cp_buf *b, uint16_t v, bool swap)
{
	v = swap ? __builtin_bswap16(v) : v;
	cp_buf_add(b, &v, sizeof(v));
}

static inline void
cp_put32(struct cp_buf *b, uint32_t v, bool swap)
{
	v = swap ? __builtin_bswap32(v) : v;
	cp_buf_add(b, &v, sizeof(v));
}

static inline void
cp_put64(struct cp_buf *b, uint64_t v, bool swap)
{
	v = swap ? __builtin_bswap64(v) : v;
	cp_buf_add(b, &v, sizeof(v));
}

#endif
