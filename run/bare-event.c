/* SPDX-License-Identifier: MIT */
#include "run/bare-event.h"

#include <coldperf/samples.h>

#include "model/evsel.h"

enum { NAME = 256 };

/* Returns the length without ":ukp". */
static size_t
without_modifiers(const char *name, size_t n)
{
	size_t at = n;

	while (at != 0 && strchr("ukhpPGHSDIWeb", name[at - 1]) != NULL)
		at--;
	return at > 1 && at < n && name[at - 1] == ':' ? at - 1 : n;
}

void
cp_event_bare(const char *name, char *out, size_t size)
{
	const char *slash = strchr(name, '/'), *term;
	size_t n = strlen(name);

	if (slash == NULL || slash == name) {
		n = without_modifiers(name, n);
	} else {
		term = slash + 1;
		n = strcspn(term, ",/");
		/* A term with a value (period=9) is no name. */
		if (n == 0 || memchr(term, '=', n) != NULL)
			n = (size_t)(slash - name);
		else
			name = term;
	}
	n = CP_MIN(n, size - 1);
	memcpy(out, name, n);
	out[n] = '\0';
}

/* ------------------------------------------------- one event, several PMUs */

/*
 * Returns the length of the PMU before the slash; 0: there is none, or it has a
 * number after it, which means something else on another PMU.
 */
static size_t
pmu_length(const char *name)
{
	const char *slash = strchr(name, '/');
	size_t n = slash != NULL ? (size_t)(slash - name) : 0;
	char bare[NAME];

	cp_event_bare(name, bare, sizeof(bare));
	return n != 0 && strncmp(slash + 1, bare, strlen(bare)) == 0 ? n : 0;
}

bool
cp_event_same(const struct cp_evsel *a, const struct cp_evsel *b)
{
	size_t na, nb;

	if (a->tracepoint || b->tracepoint || a->freq != b->freq ||
	    a->sample_period != b->sample_period ||
	    strcmp(a->name, b->name) == 0)
		return false;
	na = pmu_length(a->name);
	nb = pmu_length(b->name);
	return na != 0 && nb != 0 && strcmp(a->name + na, b->name + nb) == 0;
}

/*
 * ----------------------------------------------------- what it tells of time
 */

enum worth { TRACEPOINT, COUNTED, SAMPLED, TASK_CLOCK, CPU_CLOCK, CYCLES };

static bool
counts_cycles(const struct cp_evsel *e)
{
	char bare[NAME];

	/* On hybrid processors the upper half is the number of the PMU. */
	if (e->type == CP_TYPE_HARDWARE)
		return (uint32_t)e->config == 0;
	if (e->type == CP_TYPE_SOFTWARE || e->tracepoint)
		return false;
	cp_event_bare(e->name, bare, sizeof(bare));
	return strcmp(bare, "cycles") == 0 || strcmp(bare, "cpu-cycles") == 0;
}

static enum worth
worth(const struct cp_evsel *e)
{
	if (counts_cycles(e))
		return CYCLES;
	if (e->type == CP_TYPE_SOFTWARE && e->config <= 1)
		return e->config == 0 ? CPU_CLOCK : TASK_CLOCK;
	if (e->tracepoint)
		return TRACEPOINT;
	return e->freq || e->sample_period > 1 ? SAMPLED : COUNTED;
}

bool
cp_event_before(const struct cp_evsel *a, uint64_t samples_a,
    const struct cp_evsel *b, uint64_t samples_b)
{
	enum worth x = worth(a), y = worth(b);

	return x != y ? x > y : samples_a > samples_b;
}
