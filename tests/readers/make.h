/* SPDX-License-Identifier: MIT */
/*
 * tests/readers/make.h: payloads for tests, in either byte order.
 */
#ifndef CP_TESTS_MAKE_H
#define CP_TESTS_MAKE_H

#include "base/buf.h"
#include "base/bytes.h"

struct make {
	struct cp_buf b;
	bool swap;
};

static inline struct make
make_new(bool swap)
{
	struct make m = { .swap = swap };

	cp_buf_init(&m.b, 1 << 20);
	return m;
}

static inline void
put8(struct make *m, uint8_t v)
{
	cp_buf_char(&m->b, (char)v);
}

static inline void
put16(struct make *m, uint16_t v)
{
	v = cp_load16(&v, m->swap);
	cp_buf_add(&m->b, &v, sizeof(v));
}

static inline void
put32(struct make *m, uint32_t v)
{
	v = cp_load32(&v, m->swap);
	cp_buf_add(&m->b, &v, sizeof(v));
}

static inline void
put64(struct make *m, uint64_t v)
{
	v = cp_load64(&v, m->swap);
	cp_buf_add(&m->b, &v, sizeof(v));
}

/* A NUL-terminated text. */
static inline void
put_z(struct make *m, const char *s)
{
	cp_buf_add(&m->b, s, strlen(s) + 1);
}

/* A text as features have it: length, padded to 64. */
static inline void
put_text(struct make *m, const char *s)
{
	size_t n = strlen(s) + 1, padded = (n + 63) & ~(size_t)63;

	put32(m, (uint32_t)padded);
	cp_buf_add(&m->b, s, n);
	for (; n < padded; n++)
		put8(m, 0);
}

static inline struct cp_bytes
make_bytes(const struct make *m)
{
	return cp_bytes_of(cp_buf_text(&m->b), m->b.len, m->swap);
}

#endif
