/* SPDX-License-Identifier: MIT */
/* Threads fault while others map and unmap: they share one lock. */
#include <sys/mman.h>
#include "planted.h"
static double end;
static NOINLINE void
resize_heap(void)
{
	size_t size = 64 << 20;
	char *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	munmap(p, size);
}
static void *
resizer(void *arg)
{
	while (now() < end)
		resize_heap();
	return arg;
}
static NOINLINE void
small_map(void)
{
	double t = now();
	char *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	p[0] = 1;
	munmap(p, 8192);
	plant(now() - t);
}
static void *
user(void *arg)
{
	while (now() < end) {
		small_map();
		compute(0.0002);
	}
	return arg;
}
int
main(void)
{
	pthread_t t[6];

	end = now() + RUN;
	for (int i = 0; i < 6; i++)
		pthread_create(&t[i], NULL, i < 2 ? resizer : user, NULL);
	for (int i = 0; i < 6; i++)
		pthread_join(t[i], NULL);
	return said();
}
