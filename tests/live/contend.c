/* SPDX-License-Identifier: MIT */
/* contend SECONDS [STATUS]: two threads that share a lock, memory, a file. */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile unsigned sum;
static double end;
static double
now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}
__attribute__((noinline)) static void
spin(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		sum += i;
}
static void *
locked(void *p)
{
	while (now() < end) {
		pthread_mutex_lock(&lock);
		spin(100000);
		usleep(500);
		pthread_mutex_unlock(&lock);
		free(memset(malloc(1 << 20), 1, 1 << 20));
	}
	return p;
}
int
main(int argc, char **argv)
{
	pthread_t t;
	int fd = open("work.out", O_CREAT | O_WRONLY, 0600);

	end = now() + atof(argv[1]);
	pthread_create(&t, NULL, locked, NULL);
	locked(NULL);
	pthread_join(t, NULL);
	if (write(fd, "x", 1) == 1)
		fsync(fd);
	return argc > 2 ? atoi(argv[2]) : 0;
}
