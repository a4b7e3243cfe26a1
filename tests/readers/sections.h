/* SPDX-License-Identifier: MIT */
/*
 * tests/readers/sections.h: where the header features of a capture are.
 *
 * Just enough of files and pipes to hand payloads to what is tested, so that
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

/* HEADER_FEATURE records, and the blob behind a TRACING_DATA record. */
static inline void
sections_pipe(struct cp_bytes b, sections_fn fn, void *arg)
{
	while (cp_bytes_left(&b) >= 16) {
		uint32_t type = cp_bytes_u32(&b);
		uint16_t size = (cp_bytes_u16(&b), cp_bytes_u16(&b));
		struct cp_bytes r = b;

		if (size < 8 || cp_bytes_take(&b, size - 8u) == NULL)
			return;
		r.end = b.at;
		if (type == 80 && size > 16) {
			uint64_t bit = cp_bytes_u64(&r);

			fn(arg, (uint32_t)bit, r);
		} else if (type == 66 && size >= 12) {
			uint32_t blob = cp_bytes_u32(&r);
			const uint8_t *p = cp_bytes_take(&b, blob);

			if (p != NULL)
				fn(arg, 1, cp_bytes_of(p, blob, b.swap));
		}
	}
}

/* False when the bytes are no perf.data. */
static inline bool
sections_each(const uint8_t *p, size_t n, sections_fn fn, void *arg)
{
	uint64_t table, end;
	bool swap;

	if (n < 24 ||
	    (memcmp(p, "PERFFILE", 8) != 0 && memcmp(p, "PERFILE2", 8) != 0 &&
		memcmp(p, "2ELIFREP", 8) != 0))
		return false;
	swap = memcmp(p, "2ELIFREP", 8) == 0;
	if (cp_load64(p + 8, swap) == 16) {
		sections_pipe(cp_bytes_of(p + 16, n - 16, swap), fn, arg);
		return true;
	}
	swap = sections_swapped(p);
	if (n < 104 || cp_load64(p + 8, swap) != 104 ||
	    __builtin_add_overflow(
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
