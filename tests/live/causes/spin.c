/* SPDX-License-Identifier: MIT */
/* A thread asks again and again if another has done its work. */
#include <stdatomic.h>
#include "planted.h"
static atomic_int turn;
static double end;
static NOINLINE void
wait_for_turn(void)
{
	double t = now();

	while (atomic_load(&turn) == 0)
		for (int i = 0; i < 64; i++)
			__builtin_ia32_pause();
	plant(now() - t);
}
static void *
producer(void *arg)
{
	while (now() < end) {
		compute(0.004);
		atomic_store(&turn, 1);
		while (atomic_load(&turn) == 1 && now() < end)
			sched_yield();
	}
	atomic_store(&turn, 2);
	return arg;
}
int
main(void)
{
	pthread_t t;

	end = now() + RUN;
	pthread_create(&t, NULL, producer, NULL);
	while (atomic_load(&turn) != 2) {
		wait_for_turn();
		compute(0.0005);
		if (atomic_load(&turn) == 1)
			atomic_store(&turn, 0);
	}
	pthread_join(t, NULL);
	return said();
}
