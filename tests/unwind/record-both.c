/* SPDX-License-Identifier: MIT */
/*
 * record-both FILE COMMAND...: samples that hold the kernel's frame-pointer
 * chain of user code and, of the same moment, registers and stack; perf record
 * takes the one or the other.  Writes a perf.data file with one event.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGES = 2048, PAGE = 4096 };

static const struct perf_event_attr wanted = {
	.type = PERF_TYPE_SOFTWARE,
	.size = sizeof(struct perf_event_attr),
	.config = PERF_COUNT_SW_CPU_CLOCK,
	.sample_freq = 1999,
	.freq = 1,
	.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
		       PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_PERIOD |
		       PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER,
	.sample_regs_user = 0xff0fff,
	.sample_stack_user = 16384,
	.disabled = 1,
	.enable_on_exec = 1,
	.exclude_kernel = 1,
	.exclude_hv = 1,
	.mmap = 1,
	.mmap2 = 1,
	.comm = 1,
	.comm_exec = 1,
	.task = 1,
	.sample_id_all = 1,
	.wakeup_events = 16,
};

struct head {
	uint64_t magic, size, attr_size;
	uint64_t attrs[2], data[2], types[2];
	uint64_t features[4];
	struct perf_event_attr attr;
	uint64_t ids[2];
};

static void
write_head(FILE *f, uint64_t bytes)
{
	struct head h = { .size = offsetof(struct head, attr),
		.attr_size = sizeof(h.attr) + sizeof(h.ids),
		.attrs = { offsetof(struct head, attr),
		    sizeof(h.attr) + sizeof(h.ids) },
		.data = { sizeof(h), bytes },
		.attr = wanted };

	memcpy(&h.magic, "PERFILE2", 8);
	rewind(f);
	fwrite(&h, sizeof(h), 1, f);
}

/* A busy kernel lowers the rate that it allows, and refuses a higher one. */
static uint64_t
allowed(uint64_t rate)
{
	FILE *f = fopen("/proc/sys/kernel/perf_event_max_sample_rate", "r");
	unsigned long long most;

	if (f == NULL)
		return rate;
	if (fscanf(f, "%llu", &most) == 1 && most < rate)
		rate = most;
	fclose(f);
	return rate;
}

/* The child waits for a byte, then becomes the command. */
static pid_t
start(char **command, int *go)
{
	int pipes[2];
	pid_t pid;
	char byte;

	if (pipe(pipes) != 0)
		return -1;
	pid = fork();
	if (pid == 0) {
		close(pipes[1]);
		if (read(pipes[0], &byte, 1) == 1)
			execvp(command[0], command);
		_exit(127);
	}
	close(pipes[0]);
	*go = pipes[1];
	return pid;
}

static uint64_t
drain(struct perf_event_mmap_page *ring, FILE *f)
{
	const uint8_t *data = (const uint8_t *)ring + PAGE;
	const uint64_t size = (uint64_t)PAGES * PAGE;
	uint64_t head = __atomic_load_n(&ring->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = ring->data_tail, n = head - tail;

	while (tail < head) {
		uint64_t at = tail % size;
		uint64_t part =
		    head - tail < size - at ? head - tail : size - at;

		fwrite(data + at, 1, part, f);
		tail += part;
	}
	__atomic_store_n(&ring->data_tail, tail, __ATOMIC_RELEASE);
	return n;
}

int
main(int argc, char **argv)
{
	struct perf_event_attr attr = wanted;
	struct perf_event_mmap_page *ring;
	struct pollfd p = { .events = POLLIN };
	uint64_t bytes = 0;
	FILE *f = argc > 2 ? fopen(argv[1], "wb") : NULL;
	int go = -1, status;
	pid_t pid = f != NULL ? start(argv + 2, &go) : -1;

	attr.sample_freq = allowed(attr.sample_freq);
	p.fd = (int)syscall(SYS_perf_event_open, &attr, pid, -1, -1, 8);
	if (pid < 0 || p.fd < 0) {
		fprintf(stderr, "record-both: %s\n", strerror(errno));
		return 2;
	}
	ring = mmap(NULL, (PAGES + 1) * (size_t)PAGE, PROT_READ | PROT_WRITE,
	    MAP_SHARED, p.fd, 0);
	if (ring == MAP_FAILED || write(go, "x", 1) != 1)
		return 2;
	write_head(f, 0);
	while (waitpid(pid, &status, WNOHANG) == 0) {
		poll(&p, 1, 20);
		bytes += drain(ring, f);
	}
	bytes += drain(ring, f);
	write_head(f, bytes);
	return fclose(f) == 0 ? 0 : 2;
}
