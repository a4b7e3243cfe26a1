/* SPDX-License-Identifier: MIT */
#include "capture/host.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#define PMUS "/sys/bus/event_source/devices/"
#define SYS_ADMIN 21
#define PERFMON 38

void
cp_host_read(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, text, size - 1) : -1;

	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
}

long
cp_host_number(const char *path, long otherwise)
{
	char text[64], *end;
	long value;

	cp_host_read(path, text, sizeof(text));
	value = strtol(text, &end, 10);
	return end != text ? value : otherwise;
}

bool
cp_host_program(const char *name, char *path, size_t size)
{
	const char *s = getenv("PATH");
	struct stat st;
	int n;

	if (strchr(name, '/') != NULL) {
		n = snprintf(path, size, "%s", name);
		return n > 0 && (size_t)n < size && access(path, X_OK) == 0 &&
		       stat(path, &st) == 0 && S_ISREG(st.st_mode);
	}
	for (s = s != NULL ? s : "/usr/bin:/bin"; name[0] != '\0'; s++) {
		size_t len = strcspn(s, ":");

		n = snprintf(path, size, "%.*s%s%s", (int)len, s,
		    len != 0 ? "/" : "./", name);
		if (n > 0 && (size_t)n < size && access(path, X_OK) == 0 &&
		    stat(path, &st) == 0 && S_ISREG(st.st_mode))
			return true;
		s += len;
		if (*s == '\0')
			break;
	}
	path[0] = '\0';
	return false;
}

/* Capabilities that this process has, or that perf's file gives. */
static bool
is_privileged(const char *perf)
{
	unsigned long long caps = 0;
	char text[4096];
	const char *s;

	cp_host_read("/proc/self/status", text, sizeof(text));
	s = strstr(text, "CapEff:");
	if (s != NULL)
		caps = strtoull(s + 7, NULL, 16);
	return (caps >> PERFMON & 1) != 0 || (caps >> SYS_ADMIN & 1) != 0 ||
	       getxattr(perf, "security.capability", NULL, 0) > 0;
}

/* Asks the kernel; what forbids it is no answer, the list of PMUs is. */
static bool
has_counters(void)
{
	struct perf_event_attr attr = { .size = sizeof(attr),
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.exclude_kernel = 1,
		.exclude_hv = 1 };
	static const char *const pmus[] = { PMUS "cpu", PMUS "cpu_core",
		PMUS "armv8_pmuv3_0", PMUS "armv8_pmuv3" };
	int fd = (int)syscall(
	    SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd >= 0) {
		close(fd);
		return true;
	}
	if (errno == ENOENT || errno == EOPNOTSUPP || errno == ENODEV)
		return false;
	for (size_t i = 0; i < CP_ARRAY_LEN(pmus); i++)
		if (access(pmus[i], F_OK) == 0)
			return true;
	return false;
}

void
cp_host_look(struct cp_host *h)
{
	static const char *const tracefs[] = { "/sys/kernel/tracing/events",
		"/sys/kernel/debug/tracing/events" };
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	*h = (struct cp_host){ .cpus = cpus > 0 ? (unsigned)cpus : 1 };
	(void)cp_host_program("perf", h->perf, sizeof(h->perf));
	h->paranoid =
	    (int)cp_host_number("/proc/sys/kernel/perf_event_paranoid", 2);
	h->kptr_restrict =
	    (int)cp_host_number("/proc/sys/kernel/kptr_restrict", 2);
	h->privileged = is_privileged(h->perf);
	h->counters = has_counters();
	for (size_t i = 0; i < 2 && h->tracefs == NULL; i++)
		if (access(tracefs[i], R_OK | X_OK) == 0)
			h->tracefs = tracefs[i];
}

bool
cp_host_all(const struct cp_host *h)
{
	return h->privileged || h->paranoid < 1;
}

bool
cp_host_kernel(const struct cp_host *h)
{
	return h->privileged || h->paranoid < 2;
}

static enum cp_host_says
tracepoint(const struct cp_host *h, const char *event, size_t n)
{
	size_t system = (size_t)((char *)memchr(event, ':', n) - event);
	char path[300];
	bool forbidden =
	    h->tracefs == NULL || (!h->privileged && h->paranoid > -1);

	if (h->tracefs == NULL)
		return CP_HOST_FORBIDS;
	(void)snprintf(path, sizeof(path), "%s/%.*s/%.*s", h->tracefs,
	    (int)system, event, (int)(n - system - 1), event + system + 1);
	if (access(path, F_OK) != 0)
		return errno == EACCES ? CP_HOST_FORBIDS : CP_HOST_LACKS;
	return forbidden ? CP_HOST_FORBIDS : CP_HOST_CAN;
}

enum cp_host_says
cp_host_event(const struct cp_host *h, const char *event, size_t n)
{
	static const char *const software[] = { "cpu-clock", "task-clock",
		"page-faults", "context-switches" };
	size_t slash = (const char *)memchr(event, '/', n) != NULL
			   ? (size_t)((char *)memchr(event, '/', n) - event)
			   : n;
	char path[200];

	if (!h->privileged && h->paranoid > 2) /* Debian's own */
		return CP_HOST_FORBIDS;
	if (memchr(event, ':', n) != NULL)
		return tracepoint(h, event, n);
	for (size_t i = 0; i < CP_ARRAY_LEN(software); i++)
		if (strlen(software[i]) == slash &&
		    memcmp(software[i], event, slash) == 0)
			return CP_HOST_CAN;
	if (!h->counters)
		return CP_HOST_LACKS;
	if (slash == n)
		return CP_HOST_CAN;
	/* PMU/event/: an event that its PMU names. */
	(void)snprintf(path, sizeof(path), PMUS "%.*s%s%.*s", (int)slash, event,
	    slash + 1 < n ? "/events/" : "", (int)(n - slash - 1),
	    event + slash + 1);
	return access(path, F_OK) == 0 ? CP_HOST_CAN : CP_HOST_LACKS;
}
