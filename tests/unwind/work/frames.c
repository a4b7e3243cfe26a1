/* SPDX-License-Identifier: MIT */
/*
 * Frames of every shape, for half a second of CPU time: a signal handler on
 * top of a loop, arrays of variable length, alloca, realigned frames, a
 * callback of qsort, deep recursion, threads, the vDSO, code of a library
 * opened late.
 */
#define _GNU_SOURCE
#include <alloca.h>
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#define NOINLINE __attribute__((noinline, noclone))

static volatile unsigned long sink;

static NOINLINE double
now(clockid_t which)
{
	struct timespec t;

	clock_gettime(which, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static NOINLINE void
spin(unsigned n)
{
	for (volatile unsigned i = 0; i < n; i++)
		sink += i ^ (sink >> 3);
}

static void
handler(int sig)
{
	spin(200000);
}

static NOINLINE void
variable(unsigned n)
{
	volatile char array[n];

	memset((char *)array, (int)n, n);
	spin(3000 + (unsigned char)array[n / 2]);
}

static NOINLINE void
with_alloca(unsigned n)
{
	char *p = alloca(n);

	memset(p, 1, n);
	variable(n / 2 + 1);
	sink += (unsigned char)p[n / 3];
}

static NOINLINE void
realigned(unsigned n)
{
	__attribute__((aligned(64))) volatile char array[256];

	memset((char *)array, (int)n, sizeof(array));
	with_alloca(n + (unsigned)array[7] % 3);
}

/* Aligned and of variable length: the CFA is found through memory. */
static NOINLINE void
realigned_variable(unsigned n)
{
	__attribute__((aligned(64))) volatile char array[128];
	volatile char more[n];

	array[0] = more[n / 2] = 1;
	realigned(n);
	sink += (unsigned)array[0] + (unsigned)more[n / 2];
}

static int
compare(const void *a, const void *b)
{
	const int *x = a, *y = b;

	spin(60);
	return (*x > *y) - (*x < *y);
}

static NOINLINE void
sort(void)
{
	int v[300];

	for (int i = 0; i < 300; i++)
		v[i] = i * 7919 % 301;
	qsort(v, 300, sizeof(v[0]), compare);
}

static NOINLINE unsigned
recurse(unsigned n)
{
	if (n == 0) {
		spin(20000);
		return 1;
	}
	return recurse(n - 1) * 3 + n;
}

static NOINLINE void
clock_loop(void)
{
	for (int i = 0; i < 2000; i++)
		sink += (unsigned long)now(CLOCK_MONOTONIC);
}

static void *
thread(void *arg)
{
	while (now(CLOCK_THREAD_CPUTIME_ID) < 0.2) {
		realigned_variable(100);
		sort();
	}
	return NULL;
}

static NOINLINE void
late_library(void)
{
	void *m = dlopen("libm.so.6", RTLD_NOW);
	double (*f)(double, double) = NULL;

	if (m != NULL)
		*(void **)&f = dlsym(m, "pow");
	for (int i = 1; f != NULL && i < 20000; i++)
		sink += (unsigned long)f(1.0001, i);
}

int
main(void)
{
	struct itimerval every = { { 0, 5000 }, { 0, 5000 } };
	pthread_t t;
	unsigned n = 0;

	signal(SIGPROF, handler);
	setitimer(ITIMER_PROF, &every, NULL);
	pthread_create(&t, NULL, thread, NULL);
	while (now(CLOCK_THREAD_CPUTIME_ID) < 0.3) {
		realigned_variable(50);
		sort();
		recurse(n++ % 8 == 0 ? 300 : 60);
		clock_loop();
		late_library();
	}
	pthread_join(t, NULL);
	return sink == 42;
}
