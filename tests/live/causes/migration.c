/* SPDX-License-Identifier: MIT */
/* A thread is moved from CPU to CPU again and again. */
#include "planted.h"
static NOINLINE void
rebalance(int cpu)
{
	double t = now();

	pin(cpu);
	plant(now() - t);
}
int
main(void)
{
	double end = now() + RUN;

	if (sysconf(_SC_NPROCESSORS_ONLN) < 2) {
		puts("skip: one CPU");
		return 0;
	}
	for (int i = 0; now() < end; i++) {
		rebalance(i % 2);
		compute(0.0001);
	}
	return said();
}
