/* SPDX-License-Identifier: MIT */
/*
 * analyses/common/slices.h: sums by slice of time in an array of fixed length.
 * When the capture outgrows it, slices become twice as long.
 */
#ifndef CP_ANALYSES_COMMON_SLICES_H
#define CP_ANALYSES_COMMON_SLICES_H

#include <coldperf/plugin.h>

/* Adds up pairs of the n slices (n is even) and zeroes the upper half. */
static inline void
cp_slices_halve(uint64_t *slice, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		slice[i] = i < n / 2 ? slice[2 * i] + slice[2 * i + 1] : 0;
}

#endif
