/* SPDX-License-Identifier: MIT */
/*
 * analyses/common/slices.h: numbers by slice of time, in arrays of fixed length
 * whose slices get twice as long when the capture outgrows them.
 */
#ifndef CP_ANALYSES_COMMON_SLICES_H
#define CP_ANALYSES_COMMON_SLICES_H

#include <coldperf/plugin.h>

/* Adds up each two of n slices, an even number; the upper half is 0 then. */
static inline void
cp_slices_halve(uint64_t *slice, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		slice[i] = i < n / 2 ? slice[2 * i] + slice[2 * i + 1] : 0;
}

#endif
