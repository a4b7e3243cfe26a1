/* SPDX-License-Identifier: MIT */
/* Two small writes and a read: Nagle's algorithm meets a delayed ACK. */
#include <arpa/inet.h>
#include <sys/socket.h>
#include "planted.h"
static struct sockaddr_in at = { .sin_family = AF_INET };
static void *
answer(void *arg)
{
	int fd = accept(*(int *)arg, NULL, NULL);
	char b[200];
	size_t have = 0;
	ssize_t n;

	while ((n = read(fd, b, sizeof(b))) > 0)
		for (have += (size_t)n; have >= 110; have -= 110)
			if (write(fd, "ok", 2) < 0)
				return NULL;
	return NULL;
}
static NOINLINE void
send_request(int fd)
{
	char b[100] = "";
	double t = now();

	if (write(fd, b, 10) < 0 || write(fd, b, 100) < 0 ||
	    read(fd, b, sizeof(b)) <= 0)
		exit(1);
	plant(now() - t);
}
int
main(void)
{
	int s = socket(AF_INET, SOCK_STREAM, 0),
	    fd = socket(AF_INET, SOCK_STREAM, 0);
	socklen_t n = sizeof(at);
	double end = now() + RUN;
	pthread_t t;

	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(s, (struct sockaddr *)&at, sizeof(at)) != 0 ||
	    listen(s, 1) != 0 ||
	    getsockname(s, (struct sockaddr *)&at, &n) != 0)
		return 1;
	pthread_create(&t, NULL, answer, &s);
	if (connect(fd, (struct sockaddr *)&at, sizeof(at)) != 0)
		return 1;
	while (now() < end)
		send_request(fd);
	return said();
}
