/* SPDX-License-Identifier: MIT */
/* Nothing planted: two threads share work evenly. */
#include "planted.h"
static double end;
static NOINLINE void
tile(void)
{
	for (int i = 0; i < 300000; i++)
		sink = sink * 2862933555777941757ull + 3037000493ull;
}
static void *
half(void *arg)
{
	while (now() < end)
		tile();
	return arg;
}
int
main(void)
{
	pthread_t t;

	end = now() + RUN;
	pthread_create(&t, NULL, half, NULL);
	half(NULL);
	pthread_join(t, NULL);
	return said();
}
