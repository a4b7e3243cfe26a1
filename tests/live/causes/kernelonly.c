/* SPDX-License-Identifier: MIT */
/* The kernel works for one call nearly all the time. */
#include "planted.h"
static char block[256 << 10];
static NOINLINE void
fill_block(int fd)
{
	double t = now();

	if (read(fd, block, sizeof(block)) > 0)
		sink += (unsigned char)block[99];
	plant(now() - t);
}
int
main(void)
{
	double end = now() + RUN;
	int fd = open("/dev/urandom", O_RDONLY);

	while (now() < end) {
		fill_block(fd);
		compute(0.0001);
	}
	return said();
}
