/* SPDX-License-Identifier: MIT */
/*
 * waits: a program whose waits are known beforehand.
 *
 *	waits sleep N		sleeps N times for 50 ms
 *	waits futex N		two threads hand over N times; each works 2 ms
 *	waits cold FILE		reads a file that is not in the page cache
 *	waits share SECONDS	two processes of nice 0 and 19 share a CPU
 *
 * The last lines of the output say what was measured, one thread each:
 * "NAME TID wall NS cpu NS", from its creation on.
 * Build with frame pointers (see corpus/record.sh).
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))

static int64_t born; /* just before the last thread or process was made */
static uint32_t turn;
static int rounds;

static int64_t
now(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * INT64_C(1000000000) + ts.tv_nsec;
}

static void
say(const char *name, int64_t since)
{
	printf("%s %ld wall %lld cpu %lld\n", name, syscall(SYS_gettid),
	    (long long)(now(CLOCK_MONOTONIC) - since),
	    (long long)now(CLOCK_THREAD_CPUTIME_ID));
	fflush(stdout);
}

static NOINLINE void
work(int64_t ns)
{
	int64_t end = now(CLOCK_THREAD_CPUTIME_ID) + ns;

	while (now(CLOCK_THREAD_CPUTIME_ID) < end)
		;
}

/* Each in a thread of its own, which does nothing else. */
static void
alone(void *(*body)(void *), void *arg)
{
	pthread_t thread;

	born = now(CLOCK_MONOTONIC);
	pthread_create(&thread, NULL, body, arg);
	pthread_join(thread, NULL);
}

static NOINLINE void *
sleeper(void *arg)
{
	pthread_setname_np(pthread_self(), "sleeper");
	for (int i = 0; i < *(int *)arg; i++)
		nanosleep(&(struct timespec){ 0, 50000000 }, NULL);
	say("sleeper", born);
	return NULL;
}

static NOINLINE void
wait_turn(uint32_t me)
{
	uint32_t seen;

	while ((seen = __atomic_load_n(&turn, __ATOMIC_ACQUIRE)) != me)
		syscall(
		    SYS_futex, &turn, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
}

static NOINLINE void
hand_over(uint32_t to)
{
	__atomic_store_n(&turn, to, __ATOMIC_RELEASE);
	syscall(SYS_futex, &turn, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

struct player {
	pthread_t thread;
	uint32_t me;
	int64_t born;
};

static void *
player(void *arg)
{
	struct player *p = arg;
	uint32_t me = p->me;

	pthread_setname_np(pthread_self(), me == 0 ? "ping" : "pong");
	for (int i = 0; i < rounds; i++) {
		wait_turn(me);
		work(2000000);
		hand_over(!me);
	}
	say(me == 0 ? "ping" : "pong", p->born);
	return NULL;
}

static void
futexes(int n)
{
	struct player players[2] = { { .me = 0 }, { .me = 1 } };

	rounds = n;
	for (int i = 0; i < 2; i++) {
		players[i].born = now(CLOCK_MONOTONIC);
		pthread_create(&players[i].thread, NULL, player, &players[i]);
	}
	for (int i = 0; i < 2; i++)
		pthread_join(players[i].thread, NULL);
}

static NOINLINE void *
reader(void *arg)
{
	static char buf[65536];
	int fd = open(arg, O_RDONLY);

	pthread_setname_np(pthread_self(), "reader");
	if (fd < 0)
		exit(2);
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
	while (read(fd, buf, sizeof(buf)) > 0)
		;
	say("reader", born);
	return NULL;
}

static void
spinner(const char *name, int nice, double seconds)
{
	int64_t end = born + (int64_t)(seconds * 1e9);

	prctl(PR_SET_NAME, name);
	if (setpriority(PRIO_PROCESS, 0, nice) != 0)
		exit(2);
	while (now(CLOCK_MONOTONIC) < end)
		;
	say(name, born);
	exit(0);
}

static void
share(double seconds)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(0, &one);
	sched_setaffinity(0, sizeof(one), &one);
	born = now(CLOCK_MONOTONIC);
	if (fork() == 0)
		spinner("nice0", 0, seconds);
	born = now(CLOCK_MONOTONIC);
	if (fork() == 0)
		spinner("nice19", 19, seconds);
	while (wait(NULL) > 0)
		;
}

int
main(int argc, char **argv)
{
	int n;

	if (argc != 3)
		return 2;
	n = (int)strtol(argv[2], NULL, 10);
	if (strcmp(argv[1], "sleep") == 0)
		alone(sleeper, &n);
	else if (strcmp(argv[1], "futex") == 0)
		futexes(n);
	else if (strcmp(argv[1], "cold") == 0)
		alone(reader, argv[2]);
	else if (strcmp(argv[1], "share") == 0)
		share(strtod(argv[2], NULL));
	else
		return 2;
	return 0;
}
