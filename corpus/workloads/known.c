/* SPDX-License-Identifier: MIT */
/*
 * known: a program whose profile is known beforehand.
 *
 *	known shares SECONDS	heavy() 50 %, medium() 30 %, light() 20 %
 *	known recurse SECONDS	all in leaf(), 20 calls of descend() deep
 *	known threads SECONDS	three threads of those names and shares
 *	known children SECONDS	children of 10 ms each, all in child_work()
 *	known kernel SECONDS	nearly all in read() of /dev/zero
 *
 * Time is CPU time of the thread, so that a busy machine does not change the
 * shares.  The last line of the output says what was measured:
 * "heavy 0.500 medium 0.300 light 0.200".  Build with frame pointers and
 * without optimisation across functions (see corpus/record.sh).
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))
#define DEPTH 20

static const char *const part_names[] = { "heavy", "medium", "light" };
static const double part_shares[] = { 0.5, 0.3, 0.2 };
static volatile uint64_t sink;

static double
cpu_seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

/* About a millisecond; the loop itself, so that no callee takes the blame. */
#define WORK()                                                                 \
	do {                                                                   \
		uint64_t x_ = sink;                                            \
		for (unsigned i_ = 0; i_ < 1000000; i_++)                      \
			x_ = x_ * 6364136223846793005u + i_;                   \
		sink = x_;                                                     \
	} while (0)

static NOINLINE void
heavy(void)
{
	WORK();
}

static NOINLINE void
medium(void)
{
	WORK();
}

static NOINLINE void
light(void)
{
	WORK();
}

static void (*const parts[])(void) = { heavy, medium, light };

/* Always runs the part that is furthest behind its share. */
static NOINLINE void
run_shares(double seconds)
{
	double spent[3] = { 0 }, total = 0;

	while (total < seconds) {
		unsigned next = 0;
		double begin = cpu_seconds(), took;

		for (unsigned i = 1; i < 3; i++)
			if (spent[i] / part_shares[i] <
			    spent[next] / part_shares[next])
				next = i;
		parts[next]();
		took = cpu_seconds() - begin;
		spent[next] += took;
		total += took;
	}
	for (unsigned i = 0; i < 3; i++)
		printf("%s %.4f%c", part_names[i], spent[i] / total,
		    i < 2 ? ' ' : '\n');
}

static NOINLINE void
leaf(double until)
{
	while (cpu_seconds() < until)
		WORK();
}

/* The store after the call keeps it from becoming a jump. */
static NOINLINE void
descend(unsigned depth, double until)
{
	if (depth == 1)
		leaf(until);
	else
		descend(depth - 1, until);
	sink++;
}

struct worker {
	pthread_t thread;
	const char *name;
	double seconds;
};

static void *
worker_main(void *arg)
{
	struct worker *w = arg;

	pthread_setname_np(pthread_self(), w->name);
	leaf(w->seconds);
	return NULL;
}

static void
run_threads(double seconds)
{
	struct worker workers[3];

	for (unsigned i = 0; i < 3; i++) {
		workers[i].name = part_names[i];
		workers[i].seconds = seconds * part_shares[i];
		if (pthread_create(&workers[i].thread, NULL, worker_main,
			&workers[i]) != 0)
			exit(1);
	}
	for (unsigned i = 0; i < 3; i++)
		pthread_join(workers[i].thread, NULL);
	puts("heavy 0.5000 medium 0.3000 light 0.2000");
}

static NOINLINE void
child_work(void)
{
	leaf(0.01);
	sink++;
}

static void
run_children(double seconds)
{
	unsigned n = (unsigned)(seconds * 100) + 1;

	for (unsigned i = 0; i < n; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			child_work();
			_exit(0);
		}
		if (pid < 0 || waitpid(pid, NULL, 0) < 0)
			exit(1);
	}
	printf("children %u\n", n);
}

static NOINLINE void
run_kernel(double seconds)
{
	static char buffer[1 << 20];
	double until = cpu_seconds() + seconds;
	int fd = open("/dev/zero", O_RDONLY);

	while (fd >= 0 && cpu_seconds() < until)
		if (read(fd, buffer, sizeof(buffer)) < 0)
			exit(1);
	puts("kernel 1.0000");
}

int
main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "shares";
	double seconds = argc > 2 ? strtod(argv[2], NULL) : 1;

	if (strcmp(mode, "shares") == 0)
		run_shares(seconds);
	else if (strcmp(mode, "recurse") == 0)
		descend(DEPTH, cpu_seconds() + seconds);
	else if (strcmp(mode, "threads") == 0)
		run_threads(seconds);
	else if (strcmp(mode, "children") == 0)
		run_children(seconds);
	else if (strcmp(mode, "kernel") == 0)
		run_kernel(seconds);
	else
		return 2;
	return 0;
}
