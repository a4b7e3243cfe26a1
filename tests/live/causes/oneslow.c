/* SPDX-License-Identifier: MIT */
/* One request of a thousand waits for a file that another process locks. */
#include <sys/file.h>
#include <sys/wait.h>
#include "planted.h"
static char name[] = "oneslow.XXXXXX";
static NOINLINE void
refresh_cache(void)
{
	int fd = open(name, O_RDWR);
	double t = now();

	flock(fd, LOCK_EX);
	plant(now() - t);
	close(fd);
}
static NOINLINE void
handle_request(int i)
{
	compute(0.0005);
	if (i == 700)
		refresh_cache();
	doze(0.0005);
}
int
main(void)
{
	int fd = mkstemp(name);
	pid_t other = fork();

	if (other == 0) {
		fd = open(name, O_RDWR);
		flock(fd, LOCK_EX);
		doze(2.0);
		_exit(0);
	}
	for (int i = 0; i < 1000; i++)
		handle_request(i);
	waitpid(other, NULL, 0);
	unlink(name);
	return said();
}
