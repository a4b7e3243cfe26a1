/* SPDX-License-Identifier: MIT */
/* Looks every 50 microseconds whether there is anything to do. */
#include "planted.h"
static NOINLINE void
check_again(void)
{
	doze(0.00005);
}
int
main(void)
{
	double end = now() + RUN;
	struct timespec c;

	while (now() < end)
		check_again();
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &c);
	planted = (double)c.tv_sec + (double)c.tv_nsec / 1e9;
	return said();
}
