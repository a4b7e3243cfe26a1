/* SPDX-License-Identifier: MIT */
/* Nothing planted: three threads, each with something to do now and then. */
#include "planted.h"
static double end;
static void *
periodic(void *arg)
{
	while (now() < end) {
		compute(0.003);
		doze(*(double *)arg);
	}
	return arg;
}
int
main(void)
{
	double every[3] = { 0.05, 0.1, 0.25 };
	pthread_t t[3];

	end = now() + RUN;
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, periodic, &every[i]);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return said();
}
