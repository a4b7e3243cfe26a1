/* SPDX-License-Identifier: MIT */
/* Nothing planted: a server waits for requests that come now and then. */
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include "planted.h"
int
main(void)
{
	int p[2];
	double end = now() + RUN;
	char b[64];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, p) != 0)
		return 1;
	if (fork() == 0) {
		while (now() < end) {
			doze(0.02);
			if (write(p[1], "x", 1) < 0)
				break;
		}
		_exit(0);
	}
	close(p[1]);
	for (;;) {
		struct pollfd f = { p[0], POLLIN, 0 };

		poll(&f, 1, -1);
		if (read(p[0], b, sizeof(b)) <= 0)
			break;
		compute(0.002);
	}
	wait(NULL);
	return said();
}
