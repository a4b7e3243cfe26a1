/* SPDX-License-Identifier: MIT */
/* A thread that matters waits for a lock; its owner is nice 19 and displaced
 * by others on its CPU. */
#include <sys/resource.h>
#include <sys/syscall.h>
#include "planted.h"
static pthread_mutex_t journal = PTHREAD_MUTEX_INITIALIZER;
static volatile int done;
static void
nicely(int n, const char *name)
{
	pin(0);
	setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), n);
	pthread_setname_np(pthread_self(), name);
}
static void *
background(void *arg)
{
	nicely(19, "background");
	while (!done) {
		pthread_mutex_lock(&journal);
		compute(0.01);
		pthread_mutex_unlock(&journal);
		doze(0.001);
	}
	return arg;
}
static void *
medium(void *arg)
{
	nicely(0, "medium");
	while (!done)
		compute(0.01);
	return arg;
}
static NOINLINE void
append_entry(void)
{
	double t = now();

	pthread_mutex_lock(&journal);
	plant(now() - t);
	pthread_mutex_unlock(&journal);
}
int
main(void)
{
	pthread_t t[3];
	double end = now() + RUN;

	pthread_create(&t[0], NULL, background, NULL);
	pthread_create(&t[1], NULL, medium, NULL);
	pthread_create(&t[2], NULL, medium, NULL);
	nicely(-5, "urgent");
	while (now() < end) {
		append_entry();
		doze(0.002);
	}
	done = 1;
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return said();
}
