/* SPDX-License-Identifier: MIT */
/*
 * bench/measure COMMAND [ARGS]: runs it, its output thrown away, and prints
 *
 *	CPU-SECONDS PEAK-KIB WALL-SECONDS STATUS
 *
 * CPU is user and system time of the command and all it waited for, peak the
 * largest resident set of any one of them.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double
seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

int
main(int argc, char **argv)
{
	double from = now();
	struct rusage use;
	int status, null;
	pid_t pid;

	if (argc < 2)
		return 2;
	pid = fork();
	if (pid == 0) {
		null = open("/dev/null", O_RDWR);
		dup2(null, 0);
		dup2(null, 1);
		execvp(argv[1], argv + 1);
		perror(argv[1]);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &use) != pid) {
		perror("measure");
		return 1;
	}
	printf("%.3f %ld %.3f %d\n",
	    seconds(use.ru_utime) + seconds(use.ru_stime), use.ru_maxrss,
	    now() - from,
	    WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
	return 0;
}
