/* SPDX-License-Identifier: MIT */
/* Asks a helper program for each item, and waits for its end. */
#include <sys/wait.h>
#include "planted.h"
static NOINLINE void
ask_helper(void)
{
	double t = now();

	if (system("sleep 0.2") != 0)
		exit(1);
	plant(now() - t);
}
int
main(void)
{
	double end = now() + RUN;

	while (now() < end) {
		ask_helper();
		compute(0.01);
	}
	return said();
}
