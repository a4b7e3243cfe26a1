/* SPDX-License-Identifier: MIT */
/* symbolize/leb.h: the variable-length numbers of DWARF. */
#ifndef CP_SYMBOLIZE_LEB_H
#define CP_SYMBOLIZE_LEB_H

#include "base/bytes.h"

/* Bits beyond 64 are dropped, as they do not fit the result. */
static inline uint64_t
cp_bytes_uleb(struct cp_bytes *b)
{
	uint64_t v = 0;
	unsigned shift = 0;
	uint8_t byte;

	do {
		byte = cp_bytes_u8(b);
		if (shift < 64)
			v |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while ((byte & 0x80) != 0 && shift < 140);
	return v;
}

static inline int64_t
cp_bytes_sleb(struct cp_bytes *b)
{
	uint64_t v = 0;
	unsigned shift = 0;
	uint8_t byte;

	do {
		byte = cp_bytes_u8(b);
		if (shift < 64)
			v |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while ((byte & 0x80) != 0 && shift < 140);
	if (shift < 64 && (byte & 0x40) != 0)
		v |= UINT64_MAX << shift;
	return (int64_t)v;
}

#endif
