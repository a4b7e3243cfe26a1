/* SPDX-License-Identifier: MIT */
/* After a while a cache is full, and each request searches a list. */
#include "planted.h"
static NOINLINE void
answer_request(void)
{
	compute(0.0005);
}
static NOINLINE void
search_overflow(void)
{
	double t = now();

	compute(0.001);
	plant(now() - t);
}
int
main(void)
{
	double start = now(), end = start + RUN;

	while (now() < end) {
		answer_request();
		if (now() > start + 0.7 * RUN)
			search_overflow();
	}
	return said();
}
