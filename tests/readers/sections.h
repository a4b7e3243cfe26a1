/* SPDX-License-Identifier: MIT */
/*
 * tests/readers/sections.h: where the header features of a file are.
 *
 * Just enough of the file header to hand payloads to what is tested, so that
 * these tests do not depend on the reader of the container.
 */
#ifndef CP_TESTS_SECTIONS_H
#define CP_TESTS_SECTIONS_H

#include "base/bytes.h"

typedef void (*sections_fn)(void *arg, uint32_t bit, struct cp_bytes payload);

static inline bool
sections_swapped(const uint8_t *p)
{
	uint64_t attr_size = cp_load64(p + 16, false);

	if (memcmp(p, "PERFFILE", 8) == 0)
		return attr_size > UINT32_MAX;
	return memcmp(p, "PERFILE2", 8) != 0;
}

/* False when the bytes are no seekable perf.data file. */
static inline bool
sections_each(const uint8_t *p, size_t n, sections_fn fn, void *arg)
{
	uint64_t table, end;
	bool swap;

	if (n < 104 || (memcmp(p, "PERFFILE", 8) != 0 &&
	    memcmp(p, "PERFILE2", 8) != 0 && memcmp(p, "2ELIFREP", 8) != 0))
		return false;
	swap = sections_swapped(p);
	if (cp_load64(p + 8, swap) != 104 || __builtin_add_overflow(
	    cp_load64(p + 40, swap), cp_load64(p + 48, swap), &table))
		return false;
	for (uint32_t bit = 0; bit < 256; bit++) {
		uint64_t word = cp_load64(p + 72 + bit / 64 * 8, swap);
		uint64_t offset, size;

		if ((word >> (bit % 64) & 1) == 0)
			continue;
		if (table > n || n - table < 16)
			return true;
		offset = cp_load64(p + table, swap);
		size = cp_load64(p + table + 8, swap);
		table += 16;
		if (!__builtin_add_overflow(offset, size, &end) && end <= n)
			fn(arg, bit, cp_bytes_of(p + offset, size, swap));
	}
	return true;
}

#endif
