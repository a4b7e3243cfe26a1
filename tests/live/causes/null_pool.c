/* SPDX-License-Identifier: MIT */
/* Nothing planted: workers wait for the little work that there is. */
#include "planted.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static int jobs, done;
static void *
worker(void *arg)
{
	pthread_mutex_lock(&m);
	for (;;) {
		while (jobs == 0 && !done)
			pthread_cond_wait(&more, &m);
		if (done)
			break;
		jobs--;
		pthread_mutex_unlock(&m);
		compute(0.001);
		pthread_mutex_lock(&m);
	}
	pthread_mutex_unlock(&m);
	return arg;
}
int
main(void)
{
	pthread_t t[8];
	double end = now() + RUN;

	for (int i = 0; i < 8; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	while (now() < end) {
		doze(0.01);
		pthread_mutex_lock(&m);
		jobs++;
		pthread_cond_signal(&more);
		pthread_mutex_unlock(&m);
	}
	pthread_mutex_lock(&m);
	done = 1;
	pthread_cond_broadcast(&more);
	pthread_mutex_unlock(&m);
	for (int i = 0; i < 8; i++)
		pthread_join(t[i], NULL);
	return said();
}
