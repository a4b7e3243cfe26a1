/* SPDX-License-Identifier: MIT */
/* remap: maps code over other code and works a while, again and again. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>
#include <time.h>

static volatile unsigned sum;

static __attribute__((noinline)) void
work(int ms)
{
	struct timespec t, now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	do {
		for (unsigned i = 0; i < 20000; i++)
			sum += i;
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	} while ((now.tv_sec - t.tv_sec) * 1000 +
		     (now.tv_nsec - t.tv_nsec) / 1000000 <
		 ms);
}

int
main(int argc, char **argv)
{
	int fd = open(argv[0], O_RDONLY);
	void *at = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);

	for (int i = 0; i < 40 && at != MAP_FAILED; i++) {
		work(10);
		at = mmap(at, 4096, PROT_READ | PROT_EXEC,
		    MAP_PRIVATE | MAP_FIXED, fd, (i & 1) * 4096);
	}
	return at == MAP_FAILED;
}
