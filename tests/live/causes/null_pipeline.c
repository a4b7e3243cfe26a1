/* SPDX-License-Identifier: MIT */
/* Nothing planted: two stages of a pipe, each as fast as the other. */
#include <sys/wait.h>
#include "planted.h"
int
main(void)
{
	double end = now() + RUN;
	int fd[2];
	char c = 'x';
	pid_t reader;

	if (pipe(fd) != 0)
		return 1;
	reader = fork();
	if (reader == 0) {
		close(fd[1]);
		while (read(fd[0], &c, 1) == 1)
			compute(0.0005);
		_exit(0);
	}
	close(fd[0]);
	while (now() < end) {
		compute(0.0005);
		if (write(fd[1], &c, 1) != 1)
			return 1;
	}
	close(fd[1]);
	waitpid(reader, NULL, 0);
	return said();
}
