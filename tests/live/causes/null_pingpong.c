/* SPDX-License-Identifier: MIT */
/*
 * Nothing planted: two processes answer each other over pipes.  Each wakes the
 * other on its CPU by an interrupt, and is ready for some microseconds, often.
 */
#include "planted.h"
int
main(void)
{
	int there[2], back[2];
	char c = 0;
	double end = now() + RUN;

	if (pipe(there) != 0 || pipe(back) != 0)
		return 1;
	if (fork() == 0) {
		close(there[1]);
		while (read(there[0], &c, 1) == 1 && write(back[1], &c, 1) == 1)
			;
		_exit(0);
	}
	while (now() < end)
		if (write(there[1], &c, 1) != 1 || read(back[0], &c, 1) != 1)
			return 1;
	return said();
}
