/* SPDX-License-Identifier: MIT */
/* A hog of another process on the CPU of the victim. */
#include <sys/wait.h>
#include <sys/prctl.h>
#include "planted.h"
static NOINLINE void
serve(double end)
{
	while (now() < end) {
		double t = now();

		compute(0.02);
		(void)t;
		doze(0.0005);
	}
}
int
main(void)
{
	struct timespec c;
	pid_t hog;

	pin(0);
	hog = fork();
	if (hog == 0) {
		prctl(PR_SET_NAME, "hog");
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		compute(60);
	}
	serve(now() + RUN);
	kill(hog, SIGKILL);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &c);
	planted = RUN - ((double)c.tv_sec + (double)c.tv_nsec / 1e9);
	return said();
}
