/* SPDX-License-Identifier: MIT */
/* Maps, touches and unmaps memory instead of keeping it. */
#include <sys/mman.h>
#include "planted.h"
static NOINLINE void
use_buffer(void)
{
	enum { SIZE = 8 << 20 };
	double t = now();
	char *p = mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	madvise(p, SIZE, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < SIZE; i += 4096)
		p[i] = 1;
	munmap(p, SIZE);
	plant(now() - t);
}
int
main(void)
{
	double end = now() + RUN;

	while (now() < end) {
		use_buffer();
		compute(0.0005);
	}
	return said();
}
