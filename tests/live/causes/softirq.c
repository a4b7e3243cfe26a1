/* SPDX-License-Identifier: MIT */
/* Small packets: the network's interrupts take the CPU. */
#include <arpa/inet.h>
#include <sys/socket.h>
#include "planted.h"
static NOINLINE void
send_metrics(int fd, const struct sockaddr_in *to)
{
	char packet[32] = "metric";
	double t = now();

	for (int i = 0; i < 64; i++)
		sendto(fd, packet, sizeof(packet), 0,
		    (const struct sockaddr *)to, sizeof(*to));
	plant(now() - t);
}
int
main(void)
{
	double end = now() + RUN;
	struct sockaddr_in to = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t n = sizeof(to);
	int in = socket(AF_INET, SOCK_DGRAM, 0),
	    out = socket(AF_INET, SOCK_DGRAM, 0);

	bind(in, (struct sockaddr *)&to, sizeof(to));
	getsockname(in, (struct sockaddr *)&to, &n);
	while (now() < end) {
		send_metrics(out, &to);
		compute(0.00002);
	}
	return said();
}
