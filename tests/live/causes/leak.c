/* SPDX-License-Identifier: MIT */
/* Each request keeps memory: pages that the kernel has to give. */
#include "planted.h"
static void *kept;
static NOINLINE void
remember_session(void)
{
	double t = now();
	char *p = malloc(100000);

	memset(p, 1, 100000);
	*(void **)p = kept;
	kept = p;
	plant(now() - t);
}
int
main(void)
{
	double end = now() + RUN;

	for (int i = 0; now() < end && i < 15000; i++) {
		remember_session();
		compute(0.00003);
	}
	return said();
}
