/* SPDX-License-Identifier: MIT */
/* Computes under a quota of 20 % of one CPU; needs the cpu controller. */
#include <sys/stat.h>
#include "planted.h"
static void
put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) < 0) {
		printf("skip\n");
		exit(77);
	}
	close(fd);
}
static NOINLINE void
work_off(double end)
{
	while (now() < end)
		compute(0.01);
}
int
main(void)
{
	struct timespec c;
	char text[32];

	snprintf(text, sizeof(text), "%d", (int)getpid());
	mkdir("/sys/fs/cgroup/cpu/planted", 0755);
	if (access("/sys/fs/cgroup/cpu/planted/cpu.cfs_quota_us", W_OK) == 0) {
		put("/sys/fs/cgroup/cpu/planted/cpu.cfs_period_us", "100000");
		put("/sys/fs/cgroup/cpu/planted/cpu.cfs_quota_us", "20000");
		put("/sys/fs/cgroup/cpu/planted/tasks", text);
	} else {
		mkdir("/sys/fs/cgroup/planted", 0755);
		put("/sys/fs/cgroup/planted/cpu.max", "20000 100000");
		put("/sys/fs/cgroup/planted/cgroup.procs", text);
	}
	work_off(now() + RUN);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &c);
	planted = RUN - ((double)c.tv_sec + (double)c.tv_nsec / 1e9);
	return said();
}
