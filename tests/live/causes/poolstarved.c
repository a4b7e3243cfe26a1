/* SPDX-License-Identifier: MIT */
/* Ten clients share two connections; each query takes its time. */
#include "planted.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t freed = PTHREAD_COND_INITIALIZER;
static int connections = 2;
static double end;
static NOINLINE void
get_connection(void)
{
	pthread_mutex_lock(&m);
	while (connections == 0)
		pthread_cond_wait(&freed, &m);
	connections--;
	pthread_mutex_unlock(&m);
}
static NOINLINE void
put_connection(void)
{
	pthread_mutex_lock(&m);
	connections++;
	pthread_cond_signal(&freed);
	pthread_mutex_unlock(&m);
}
static void *
client(void *arg)
{
	double waited = 0, t;

	while (now() < end) {
		t = now();
		get_connection();
		waited += now() - t;
		doze(0.01);
		put_connection();
		compute(0.0002);
	}
	plant(waited);
	return arg;
}
int
main(void)
{
	pthread_t t[10];

	end = now() + RUN;
	for (int i = 0; i < 10; i++)
		pthread_create(&t[i], NULL, client, NULL);
	for (int i = 0; i < 10; i++)
		pthread_join(t[i], NULL);
	return said();
}
