/* SPDX-License-Identifier: MIT */
/*
 * tests/live/causes/planted.h: clocks and helpers of the programs here.  Each
 * program plants one cause, runs for about two seconds, and prints on stdout
 * how many seconds it explains, by its own clocks.
 */
#ifndef PLANTED_H
#define PLANTED_H
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifndef RUN
#define RUN 2.0 /* seconds */
#endif
#define NOINLINE __attribute__((noinline, noclone, unused))

static inline double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static volatile uint64_t sink;

/* Computes for that long. */
static NOINLINE void
compute(double seconds)
{
	double end = now() + seconds;

	while (now() < end)
		for (int i = 0; i < 2000; i++)
			sink = sink * 2862933555777941757ull + 3037000493ull;
}

static inline void
doze(double seconds)
{
	struct timespec t = { (time_t)seconds,
		(long)((seconds - (double)(time_t)seconds) * 1e9) };

	nanosleep(&t, NULL);
}

static inline void
pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

/* Adds to a sum that several threads share. */
static pthread_mutex_t sum_lock = PTHREAD_MUTEX_INITIALIZER;
static double planted;

static inline void
plant(double seconds)
{
	pthread_mutex_lock(&sum_lock);
	planted += seconds;
	pthread_mutex_unlock(&sum_lock);
}

static inline int
said(void)
{
	printf("%.3f\n", planted);
	return 0;
}
#endif
