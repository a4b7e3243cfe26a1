/* SPDX-License-Identifier: MIT */
/*
 * base/radix.h: radix sort of 64-bit numbers by their upper halves.
 *
 * `bits` is how many low bits of that half can differ.  The sort is stable.
 */
#ifndef CP_BASE_RADIX_H
#define CP_BASE_RADIX_H

#include "base/base.h"

/*
 * Returns the numbers of the n keys, fewer than 2^32, in the order of the keys:
 * each in the lower half of an element.  The caller frees the array.
 */
uint64_t *cp_radix_order(const uint64_t *keys, size_t n);

/* scratch has the same size.  The two may be swapped: *keys is sorted. */
void cp_radix_sort(
    uint64_t **keys, uint64_t **scratch, size_t n, unsigned bits);

static inline unsigned
cp_bits_of(uint64_t v)
{
	return v != 0 ? 64 - (unsigned)__builtin_clzll(v) : 0;
}

#endif
