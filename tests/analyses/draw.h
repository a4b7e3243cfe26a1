/* SPDX-License-Identifier: MIT */
/* tests/analyses/draw.h: numbers at random, the same in every run. */
#ifndef CP_TESTS_DRAW_H
#define CP_TESTS_DRAW_H

#include <stdint.h>

static uint64_t seed;

/* Within 0 ... 1, neither of them. */
static inline double
draw(void)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return ((double)(seed >> 33) + 0.5) / 0x1p31;
}

#endif
