/* SPDX-License-Identifier: MIT */
#include "base/radix.h"

/*
 * Bits per pass.  26 bits, the addresses of 64 MB of code, take two passes, and
 * the counters of a pass fit the first-level cache.
 */
#define DIGIT 13
#define BUCKETS (1u << DIGIT)

static void
pass(const uint64_t *from, uint64_t *to, size_t n, unsigned shift,
    uint32_t buckets)
{
	uint32_t at[BUCKETS], sum = 0;
	const uint64_t mask = buckets - 1;

	memset(at, 0, buckets * sizeof(*at));
	for (size_t i = 0; i < n; i++)
		at[from[i] >> shift & mask]++;
	for (size_t b = 0; b < buckets; b++) {
		uint32_t count = at[b];

		at[b] = sum;
		sum += count;
	}
	for (size_t i = 0; i < n; i++)
		to[at[from[i] >> shift & mask]++] = from[i];
}

void
cp_radix_sort(uint64_t **keys, uint64_t **scratch, size_t n, unsigned bits)
{
	unsigned passes = (bits + DIGIT - 1) / DIGIT, digit;

	if (passes == 0)
		return;
	digit = (bits + passes - 1) / passes;
	for (unsigned s = 0; s < bits; s += digit) {
		uint64_t *swap = *keys;

		pass(*keys, *scratch, n, 32 + s, 1u << digit);
		*keys = *scratch;
		*scratch = swap;
	}
}
