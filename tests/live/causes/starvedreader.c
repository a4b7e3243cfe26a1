/* SPDX-License-Identifier: MIT */
/* Writers keep a lock from its readers. */
#include "planted.h"
static pthread_rwlock_t config;
static double end;
static NOINLINE void
rewrite_config(void)
{
	pthread_rwlock_wrlock(&config);
	doze(0.004);
	pthread_rwlock_unlock(&config);
	compute(0.0002);
}
static void *
writer(void *arg)
{
	while (now() < end)
		rewrite_config();
	return arg;
}
static NOINLINE void
read_config(void)
{
	double t = now();

	pthread_rwlock_rdlock(&config);
	plant(now() - t);
	compute(0.0002);
	pthread_rwlock_unlock(&config);
}
int
main(void)
{
	pthread_t t[3];
	pthread_rwlockattr_t a;

	end = now() + RUN;
	pthread_rwlockattr_init(&a);
	pthread_rwlockattr_setkind_np(
	    &a, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
	pthread_rwlock_init(&config, &a);
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, writer, NULL);
	while (now() < end)
		read_config();
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return said();
}
