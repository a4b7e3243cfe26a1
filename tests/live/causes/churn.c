/* SPDX-License-Identifier: MIT */
/* Starts a program for each of many small things. */
#include <spawn.h>
#include <sys/wait.h>
#include "planted.h"
static NOINLINE void
check_item(void)
{
	char *args[] = { "true", NULL };
	double t = now();
	pid_t p;

	if (posix_spawn(&p, "/bin/true", NULL, NULL, args, NULL) != 0)
		exit(1);
	waitpid(p, NULL, 0);
	plant(now() - t);
}
int
main(void)
{
	double end = now() + RUN;

	while (now() < end)
		check_item();
	return said();
}
