/* SPDX-License-Identifier: MIT */
/* A loop asks a socket that has nothing, and does not wait for it. */
#include <sys/socket.h>
#include "planted.h"
static int pair[2];
static double end;
static void *
sender(void *arg)
{
	while (now() < end) {
		doze(0.005);
		if (write(pair[1], "x", 1) != 1)
			break;
	}
	return arg;
}
static NOINLINE void
drain_socket(void)
{
	double t = now();
	char c;

	while (read(pair[0], &c, 1) < 0 && errno == EAGAIN && now() < end)
		;
	plant(now() - t);
}
int
main(void)
{
	pthread_t t;

	end = now() + RUN;
	socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
	fcntl(pair[0], F_SETFL, O_NONBLOCK);
	pthread_create(&t, NULL, sender, NULL);
	while (now() < end) {
		drain_socket();
		compute(0.001);
	}
	pthread_join(t, NULL);
	return said();
}
