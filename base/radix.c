/* SPDX-License-Identifier: MIT */
#include "base/radix.h"

#include "base/mem.h"

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

uint64_t *
cp_radix_order(const uint64_t *keys, size_t n)
{
	uint64_t *a = cp_xmalloc(n * sizeof(*a));
	uint64_t *b = cp_xmalloc(n * sizeof(*b));
	uint64_t low = UINT64_MAX, high = 0;
	unsigned bits;

	for (size_t i = 0; i < n; i++) {
		low = CP_MIN(low, keys[i]);
		high = CP_MAX(high, keys[i]);
	}
	bits = n != 0 ? cp_bits_of(high - low) : 0;
	for (size_t i = 0; i < n; i++)
		a[i] = (keys[i] - low) << 32 | i;
	cp_radix_sort(&a, &b, n, CP_MIN(bits, 32));
	/* Wide keys take two rounds. */
	if (bits > 32) {
		for (size_t i = 0; i < n; i++) {
			uint32_t at = (uint32_t)a[i];

			a[i] = (keys[at] - low) >> 32 << 32 | at;
		}
		cp_radix_sort(&a, &b, n, bits - 32);
	}
	free(b);
	return a;
}
