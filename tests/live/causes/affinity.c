/* SPDX-License-Identifier: MIT */
/* Four threads may use one CPU only, as all their process. */
#include "planted.h"
static double end;
static void *
encode(void *arg)
{
	double t = now(), cpu;
	struct timespec c;

	while (now() < end)
		compute(0.001);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &c);
	cpu = (double)c.tv_sec + (double)c.tv_nsec / 1e9;
	plant(now() - t - cpu);
	return arg;
}
int
main(void)
{
	pthread_t t[4];

	pin(0);
	end = now() + RUN;
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, encode, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return said();
}
