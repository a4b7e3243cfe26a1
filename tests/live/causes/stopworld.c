/* SPDX-License-Identifier: MIT */
/* A collector stops four mutators again and again, and works meanwhile. */
#include "planted.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t resume = PTHREAD_COND_INITIALIZER,
		      parked = PTHREAD_COND_INITIALIZER;
static volatile int stop, done;
static int waiting;
static NOINLINE void
safepoint(void)
{
	double t = now();

	pthread_mutex_lock(&m);
	waiting++;
	pthread_cond_signal(&parked);
	while (stop)
		pthread_cond_wait(&resume, &m);
	waiting--;
	pthread_mutex_unlock(&m);
	plant(now() - t);
}
static void *
mutator(void *arg)
{
	while (!done) {
		compute(0.0005);
		if (stop)
			safepoint();
	}
	return arg;
}
static NOINLINE void
collect(void)
{
	pthread_mutex_lock(&m);
	stop = 1;
	while (waiting < 4)
		pthread_cond_wait(&parked, &m);
	pthread_mutex_unlock(&m);
	compute(0.12);
	pthread_mutex_lock(&m);
	stop = 0;
	pthread_cond_broadcast(&resume);
	pthread_mutex_unlock(&m);
}
int
main(void)
{
	pthread_t t[4];
	double end = now() + RUN;

	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, mutator, NULL);
	while (now() < end) {
		doze(0.06);
		collect();
	}
	done = 1;
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return said();
}
