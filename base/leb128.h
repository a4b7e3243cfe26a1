/* SPDX-License-Identifier: MIT */
/* base/leb128.h: the variable-length numbers of DWARF. */
#ifndef CP_BASE_LEB128_H
#define CP_BASE_LEB128_H

#include "base/bytes.h"

/*
 * The bits of a number, at shift 0 ... *shift in steps of seven, and its last
 * byte.  Bits beyond 64 are dropped, as they do not fit the result.
 */
static inline uint64_t
cp_bytes_leb(struct cp_bytes *b, unsigned *shift, uint8_t *last)
{
	uint64_t v = 0;

	*shift = 0;
	do {
		*last = cp_bytes_u8(b);
		if (*shift < 64)
			v |= (uint64_t)(*last & 0x7f) << *shift;
		*shift += 7;
	} while ((*last & 0x80) != 0 && *shift < 140);
	return v;
}

static inline uint64_t
cp_bytes_uleb(struct cp_bytes *b)
{
	unsigned shift;
	uint8_t last;

	return cp_bytes_leb(b, &shift, &last);
}

static inline int64_t
cp_bytes_sleb(struct cp_bytes *b)
{
	unsigned shift;
	uint8_t last;
	uint64_t v = cp_bytes_leb(b, &shift, &last);

	if (shift < 64 && (last & 0x40) != 0)
		v |= UINT64_MAX << shift;
	return (int64_t)v;
}

#endif
