/* SPDX-License-Identifier: MIT */
/* A producer is held up by the reader of its pipe, which is slow. */
#include <sys/wait.h>
#include "planted.h"
static NOINLINE void
slow_consumer(int fd)
{
	char b[4096];

	while (read(fd, b, sizeof(b)) > 0)
		compute(0.004);
}
static NOINLINE void
emit_rows(int fd, double end)
{
	static char b[4096];

	while (now() < end) {
		double t = now();

		if (write(fd, b, sizeof(b)) < 0)
			break;
		plant(now() - t);
		compute(0.0001);
	}
}
int
main(void)
{
	int p[2];

	if (pipe(p) != 0)
		return 1;
	if (fork() == 0) {
		close(p[1]);
		slow_consumer(p[0]);
		_exit(0);
	}
	close(p[0]);
	emit_rows(p[1], now() + RUN);
	close(p[1]);
	wait(NULL);
	return said();
}
