/* SPDX-License-Identifier: MIT */
/* Nothing planted: computes in two functions. */
#include "planted.h"
static NOINLINE void
left(void)
{
	for (int i = 0; i < 200000; i++)
		sink = sink * 2862933555777941757ull + 3037000493ull;
}
static NOINLINE void
right(void)
{
	for (int i = 0; i < 200000; i++)
		sink ^= sink << 13 ^ sink >> 7 ^ (uint64_t)i;
}
int
main(void)
{
	double end = now() + RUN;

	while (now() < end) {
		left();
		right();
	}
	return said();
}
