/* SPDX-License-Identifier: MIT */
/* Nothing planted: reads its tables in a tenth of a second, then works. */
#include "planted.h"
static NOINLINE void
load_tables(void)
{
	char *p = malloc(8 << 20);

	memset(p, 1, 8 << 20);
	compute(0.1);
}
static NOINLINE void
work(void)
{
	compute(0.001);
}
int
main(void)
{
	double end = now() + RUN;

	load_tables();
	while (now() < end)
		work();
	return said();
}
