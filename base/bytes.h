/* SPDX-License-Identifier: MIT */
/*
 * base/bytes.h: a bounded cursor over untrusted bytes.
 *
 * Reads never pass the end.  A read that would fails, gives zero, and the
 * failure sticks: callers read a whole structure and test once.  swap is set
 * when the bytes have the other byte order than this machine.
 */
#ifndef CP_BASE_BYTES_H
#define CP_BASE_BYTES_H

#include "base/base.h"

struct cp_bytes {
	const uint8_t *at, *end;
	bool swap;
	bool failed;
};

static inline struct cp_bytes
cp_bytes_of(const void *p, size_t n, bool swap)
{
	/* Bytes that are not there: NULL + 0 is undefined. */
	return (struct cp_bytes){ .at = p,
		.end = n != 0 ? (const uint8_t *)p + n : p,
		.swap = swap };
}

static inline size_t
cp_bytes_left(const struct cp_bytes *b)
{
	return (size_t)(b->end - b->at);
}

/* Returns the next n bytes, or NULL if fewer are left. */
static inline const uint8_t *
cp_bytes_take(struct cp_bytes *b, size_t n)
{
	const uint8_t *p = b->at;

	if (CP_UNLIKELY(b->failed || n > cp_bytes_left(b))) {
		b->failed = true;
		b->at = b->end;
		return NULL;
	}
	b->at += n;
	return p;
}

/* Loads without alignment.  swap as above. */
static inline uint16_t
cp_load16(const void *p, bool swap)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return swap ? __builtin_bswap16(v) : v;
}

static inline uint32_t
cp_load32(const void *p, bool swap)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return swap ? __builtin_bswap32(v) : v;
}

static inline uint64_t
cp_load64(const void *p, bool swap)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return swap ? __builtin_bswap64(v) : v;
}

static inline uint8_t
cp_bytes_u8(struct cp_bytes *b)
{
	const uint8_t *p = cp_bytes_take(b, 1);

	return p != NULL ? *p : 0;
}

static inline uint16_t
cp_bytes_u16(struct cp_bytes *b)
{
	const uint8_t *p = cp_bytes_take(b, 2);

	return p != NULL ? cp_load16(p, b->swap) : 0;
}

static inline uint32_t
cp_bytes_u32(struct cp_bytes *b)
{
	const uint8_t *p = cp_bytes_take(b, 4);

	return p != NULL ? cp_load32(p, b->swap) : 0;
}

static inline uint64_t
cp_bytes_u64(struct cp_bytes *b)
{
	const uint8_t *p = cp_bytes_take(b, 8);

	return p != NULL ? cp_load64(p, b->swap) : 0;
}

/* True if all n bytes are zero. */
static inline bool
cp_is_zero(const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i] != 0)
			return false;
	return true;
}

/* Reads a string with its NUL.  Returns NULL if no NUL is left. */
static inline const char *
cp_bytes_str(struct cp_bytes *b)
{
	size_t left = cp_bytes_left(b);
	const uint8_t *nul = left != 0 ? memchr(b->at, 0, left) : NULL;

	if (b->failed || nul == NULL) {
		b->failed = true;
		return NULL;
	}
	return (const char *)cp_bytes_take(b, (size_t)(nul - b->at) + 1);
}

#endif
