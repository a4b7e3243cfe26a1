/* SPDX-License-Identifier: MIT */
/* processes: what a process has started, by /proc. */
#include "capture/record.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>

size_t
cp_add_children(pid_t of, pid_t *pids, size_t n)
{
	char path[300];
	struct dirent *task;
	DIR *tasks;

	(void)snprintf(path, sizeof(path), "/proc/%d/task", (int)of);
	tasks = opendir(path);
	while (tasks != NULL && (task = readdir(tasks)) != NULL) {
		FILE *f;
		int pid;

		(void)snprintf(path, sizeof(path),
		    "/proc/%d/task/%.20s/children", (int)of, task->d_name);
		f = task->d_name[0] != '.' ? fopen(path, "re") : NULL;
		while (f != NULL && n < CP_CAPTURE_PROCESSES &&
		       fscanf(f, "%d", &pid) == 1)
			pids[n++] = pid;
		if (f != NULL)
			(void)fclose(f);
	}
	if (tasks != NULL)
		(void)closedir(tasks);
	return n;
}

void
cp_end_descendants(pid_t of, int signal)
{
	pid_t pids[CP_CAPTURE_PROCESSES];
	size_t n = cp_add_children(of, pids, 0);

	for (size_t i = 0; i < n; i++)
		n = cp_add_children(pids[i], pids, n);
	for (size_t i = 0; i < n; i++)
		(void)kill(pids[i], signal);
}
