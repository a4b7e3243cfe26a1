/* SPDX-License-Identifier: MIT */
/* Threads that allocate share one arena, and its lock. */
#include <malloc.h>
#include "planted.h"
static double end;
static NOINLINE void
copy_message(void)
{
	char *part[32];
	static __thread unsigned seed;
	double t = now();

	for (int i = 0; i < 32; i++) {
		part[i] = malloc(3000 + (size_t)(rand_r(&seed) % 60000));
		part[i][0] = 1;
	}
	for (int i = 0; i < 32; i++)
		free(part[i]);
	plant(now() - t);
}
static void *
worker(void *arg)
{
	while (now() < end) {
		copy_message();
		compute(0.00002);
	}
	return arg;
}
int
main(void)
{
	pthread_t t[4];

	mallopt(M_ARENA_MAX, 1);
	end = now() + RUN;
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return said();
}
