/* SPDX-License-Identifier: MIT */
/*
 * base/leb128.h: the variable-length numbers of DWARF.  Bits beyond 64 are
 * dropped, as they do not fit the result; a number without an end is 0, and
 * the cursor has failed.
 */
#ifndef CP_BASE_LEB128_H
#define CP_BASE_LEB128_H

#include "base/bytes.h"

/* Reads a number of any length. */
static inline uint64_t
cp_bytes_uleb_long(struct cp_bytes *b)
{
	uint64_t v = 0;
	unsigned shift = 0;

	while (b->at < b->end && !b->failed) {
		uint8_t c = *b->at++;

		if (shift < 64)
			v |= (uint64_t)(c & 0x7f) << shift;
		if ((c & 0x80) == 0)
			return v;
		shift += 7;
	}
	b->failed = true;
	b->at = b->end;
	return 0;
}

/* Reads a number; nearly all have one byte. */
static inline uint64_t
cp_bytes_uleb(struct cp_bytes *b)
{
	if (CP_LIKELY(b->at < b->end && *b->at < 0x80 && !b->failed))
		return *b->at++;
	return cp_bytes_uleb_long(b);
}

static inline int64_t
cp_bytes_sleb(struct cp_bytes *b)
{
	uint64_t v = 0;
	unsigned shift = 0;

	while (b->at < b->end && !b->failed) {
		uint8_t c = *b->at++;

		if (shift < 64)
			v |= (uint64_t)(c & 0x7f) << shift;
		shift += 7;
		if ((c & 0x80) != 0)
			continue;
		if ((c & 0x40) != 0 && shift < 64)
			v |= ~UINT64_C(0) << shift;
		return (int64_t)v;
	}
	b->failed = true;
	b->at = b->end;
	return 0;
}

#endif
