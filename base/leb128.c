/* SPDX-License-Identifier: MIT */
/* base/leb128.h, for numbers of more than one byte. */
#include "base/leb128.h"

uint64_t
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
