/* SPDX-License-Identifier: MIT */
/* Each record is written and synced by itself. */
#include "planted.h"
static NOINLINE void
commit_record(int fd)
{
	char b[512];
	double t;

	memset(b, 'x', sizeof(b));
	if (write(fd, b, sizeof(b)) < 0)
		exit(1);
	t = now();
	fsync(fd);
	plant(now() - t);
}
int
main(void)
{
	char name[] = "fsyncs.XXXXXX";
	int fd = mkstemp(name);
	double end = now() + RUN;

	unlink(name);
	while (now() < end) {
		commit_record(fd);
		compute(0.0001);
	}
	return said();
}
