/* SPDX-License-Identifier: MIT */
/* Nothing planted: reads a file that is in memory, and computes. */
#include "planted.h"
static char block[64 << 10];
int
main(void)
{
	double end = now() + RUN;
	char name[] = "files.XXXXXX";
	int fd = mkstemp(name);

	unlink(name);
	if (write(fd, block, sizeof(block)) < 0)
		return 1;
	while (now() < end) {
		if (pread(fd, block, sizeof(block), 0) < 0)
			return 1;
		compute(0.0005);
	}
	return said();
}
