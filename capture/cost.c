/* SPDX-License-Identifier: MIT */
/*
 * cost: perf's own time is the kernel's account of its process.  What the
 * interrupts of samples take is charged to the program that is recorded, so it
 * is measured here: a loop with a clock of 20 kHz, which has the call graph
 * that is recorded, against the same loop without.
 */
#define _GNU_SOURCE
#include "capture/cost.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "capture/host.h"

#define USUAL_NS 3000 /* of a sample, where it cannot be measured */
#define PROBE_NS 50000
#define ROUNDS 4
#define RUNS 200000

static uint64_t
now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* utime, stime, cutime, cstime: the 12th to 15th field after the name. */
static uint64_t
ticks_of(long pid)
{
	char path[64], text[1024], *s;
	uint64_t sum = 0;

	(void)snprintf(path, sizeof(path), "/proc/%ld/stat", pid);
	cp_host_read(path, text, sizeof(text));
	s = strrchr(text, ')');
	for (int i = 0; i < 12 && s != NULL; i++)
		s = strchr(s + 1, ' ');
	for (int i = 0; i < 4 && s != NULL; i++)
		sum += strtoull(s, &s, 10);
	return sum;
}

struct cp_cost_mark
cp_cost_mark(pid_t perf, const char *pids)
{
	struct cp_cost_mark m = { .ns = now(CLOCK_MONOTONIC) };
	char path[64], text[1 << 16], *s;
	long tick = sysconf(_SC_CLK_TCK);

	(void)snprintf(path, sizeof(path), "/proc/%d/schedstat", (int)perf);
	cp_host_read(path, text, sizeof(text));
	m.perf = strtoull(text, NULL, 10);
	cp_host_read("/proc/stat", text, sizeof(text));
	s = text + 3; /* "cpu  user nice system" */
	for (int i = 0; i < 3 && text[0] == 'c' && pids == NULL; i++)
		m.busy += strtoull(s, &s, 10);
	while (pids != NULL) {
		m.busy += ticks_of(strtol(pids, NULL, 10));
		pids = strchr(pids, ',');
		pids += pids != NULL;
	}
	m.busy *= 1000000000 / (uint64_t)tick;
	s = strstr(text, "\nctxt ");
	m.switches = s != NULL ? strtoull(s + 6, NULL, 10) : 0;
	return m;
}

/* Returns the ns of CPU time that the loop takes. */
static uint64_t
loop(void)
{
	uint64_t begin = now(CLOCK_THREAD_CPUTIME_ID);
	volatile unsigned sum = 0;

	for (unsigned i = 0; i < RUNS * 20; i++)
		sum += i;
	(void)sum;
	return now(CLOCK_THREAD_CPUTIME_ID) - begin;
}

double
cp_cost_sample(bool graph, uint32_t stack)
{
	struct perf_event_attr attr = { .size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = PROBE_NS,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			       PERF_SAMPLE_TIME |
			       (graph ? PERF_SAMPLE_CALLCHAIN : 0),
		.exclude_kernel = 1,
		.write_backward = 1, /* a ring that overwrites itself */
		.disabled = 1 };
	uint64_t with = UINT64_MAX, without = UINT64_MAX, t;
	size_t size = (size_t)sysconf(_SC_PAGESIZE) * 33;
	void *ring = MAP_FAILED;
	double ns = USUAL_NS;
	int fd;

	if (stack != 0) {
		attr.sample_type |= PERF_SAMPLE_STACK_USER;
		attr.sample_stack_user = stack;
		attr.exclude_callchain_user = 1;
	}
	fd = (int)syscall(
	    SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd >= 0)
		ring = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	for (int i = 0; i < ROUNDS && ring != MAP_FAILED; i++) {
		t = loop();
		without = CP_MIN(without, t);
		(void)ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
		t = loop();
		(void)ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
		with = CP_MIN(with, t);
	}
	if (ring != MAP_FAILED) {
		ns = with > without
			 ? (double)(with - without) * PROBE_NS / (double)with
			 : USUAL_NS;
		munmap(ring, size);
	}
	if (fd >= 0)
		close(fd);
	return ns;
}

double
cp_cost_between(const struct cp_cost_mark *a, const struct cp_cost_mark *b,
    unsigned frequency, bool switches, double ns_of_sample)
{
	double ns = (double)(b->ns - a->ns), samples;

	if (b->ns <= a->ns)
		return 0;
	samples = frequency * (double)(b->busy - a->busy) / 1e9;
	/* A switch is one, and the wake-up before it another. */
	if (switches)
		samples += 2 * (double)(b->switches - a->switches);
	return ((b->perf > a->perf ? (double)(b->perf - a->perf) : 0) +
		   samples * ns_of_sample) /
	       ns;
}
