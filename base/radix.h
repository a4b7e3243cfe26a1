/* SPDX-License-Identifier: MIT */
/*
 * base/radix.h: sorts numbers by their upper halves, of which only the
 * lowest bits differ; equal ones keep their order.
 */
#ifndef CP_BASE_RADIX_H
#define CP_BASE_RADIX_H

#include "base/base.h"

/* scratch is as large; which of the two holds what, changes. */
void cp_radix_sort(
    uint64_t **keys, uint64_t **scratch, size_t n, unsigned bits);

static inline unsigned
cp_bits_of(uint64_t v)
{
	return v != 0 ? 64 - (unsigned)__builtin_clzll(v) : 0;
}

#endif
