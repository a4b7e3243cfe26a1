/* SPDX-License-Identifier: MIT */
/* Eight threads, one lock; who has it sleeps. */
#include "planted.h"
static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
static double end;
static NOINLINE void
update_table(double *waited)
{
	double t = now();

	pthread_mutex_lock(&table);
	*waited += now() - t;
	doze(0.005);
	pthread_mutex_unlock(&table);
}
static void *
worker(void *arg)
{
	double waited = 0;

	while (now() < end) {
		update_table(&waited);
		compute(0.0005);
	}
	plant(waited);
	return arg;
}
int
main(void)
{
	pthread_t t[8];

	end = now() + RUN;
	for (int i = 0; i < 8; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < 8; i++)
		pthread_join(t[i], NULL);
	return said();
}
