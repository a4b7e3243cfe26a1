/* SPDX-License-Identifier: MIT */
/*
 * jitdump-blank: a jitdump whose machine code is zeros.  Names, lines and times
 * stay, and so do all offsets.
 */
#include "base/bytes.h"
#include "readers/jitdump.h"

enum { HEADER = 40, HEAD = 16, LOAD = 56, CODE_SIZE = 40, CODE_LOAD = 0 };

/* The code is at the end of the record. */
static void
blank_code(uint8_t *record, size_t size, bool swap)
{
	uint64_t code = size >= LOAD ? cp_load64(record + CODE_SIZE, swap) : 0;

	if (code <= size - CP_MIN(size, (size_t)LOAD))
		memset(record + size - code, 0, (size_t)code);
}

bool
cp_jitdump_blank(uint8_t *data, size_t n)
{
	bool swap;
	size_t at;

	if (n < HEADER || (cp_load32(data, false) != CP_JITDUMP_MAGIC &&
			      cp_load32(data, true) != CP_JITDUMP_MAGIC))
		return false;
	swap = cp_load32(data, false) != CP_JITDUMP_MAGIC;
	at = cp_load32(data + 8, swap);
	while (at <= n && n - at >= HEAD) {
		uint32_t size = cp_load32(data + at + 4, swap);

		if (size < HEAD || size > n - at)
			break;
		if (cp_load32(data + at, swap) == CODE_LOAD)
			blank_code(data + at, size, swap);
		at += size;
	}
	/* The rest is not a record, and may be anything. */
	if (at < n)
		memset(data + at, 0, n - at);
	return true;
}
