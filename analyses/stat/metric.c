/* SPDX-License-Identifier: MIT */
#include "analyses/stat/metric.h"

#include <string.h>

/* No recording counts more events that belong together. */
enum { MOST_EVENTS = 256, MOST_NAME = 64 };

static const struct rule {
	const char *event, *base; /* base NULL: the time that passed */
	double factor;
	const char *of;
} rules[] = {
	{ "task-clock", NULL, 1, "CPUs used" },
	{ "cpu-clock", NULL, 1, "CPUs used" },
	{ "instructions", "cycles", 1, "instructions a cycle" },
	{ "instructions", "cpu-cycles", 1, "instructions a cycle" },
	{ "stalled-cycles-frontend", "cycles", 100, "% of cycles" },
	{ "stalled-cycles-backend", "cycles", 100, "% of cycles" },
	{ "branch-misses", "branches", 100, "% of branches" },
	{ "branch-misses", "branch-instructions", 100, "% of branches" },
	{ "cache-misses", "cache-references", 100, "% of cache references" },
	{ "L1-dcache-load-misses", "L1-dcache-loads", 100, "% of its loads" },
	{ "L1-icache-load-misses", "L1-icache-loads", 100, "% of its loads" },
	{ "LLC-load-misses", "LLC-loads", 100, "% of its loads" },
	{ "dTLB-load-misses", "dTLB-loads", 100, "% of its loads" },
	{ "iTLB-load-misses", "iTLB-loads", 100, "% of its loads" },
	{ "topdown-retiring", "slots", 100, "% of slots" },
	{ "topdown-bad-spec", "slots", 100, "% of slots" },
	{ "topdown-fe-bound", "slots", 100, "% of slots" },
	{ "topdown-be-bound", "slots", 100, "% of slots" },
	{ "topdown-heavy-ops", "slots", 100, "% of slots" },
	{ "topdown-br-mispredict", "slots", 100, "% of slots" },
	{ "topdown-fetch-lat", "slots", 100, "% of slots" },
	{ "topdown-mem-bound", "slots", 100, "% of slots" },
	{ "cycles", "task-clock", 1, "GHz" },
	{ "cpu-cycles", "task-clock", 1, "GHz" },
	{ "cycles", "cpu-clock", 1, "GHz" },
};

/*
 * A name without its PMU and modifiers: "cpu_core/cycles/u" and "cycles:u" are
 * "cycles".  The PMU's length goes to *pmu.
 */
static void
stem_of(const char *name, char *stem, size_t *pmu)
{
	const char *slash = strchr(name, '/');
	size_t n;

	*pmu = slash != NULL ? (size_t)(slash - name) : 0;
	name += slash != NULL ? *pmu + 1 : 0;
	n = strcspn(name, slash != NULL ? "/," : ":");
	n = n < MOST_NAME - 1 ? n : MOST_NAME - 1;
	memcpy(stem, name, n);
	stem[n] = '\0';
}

/* Finds the event of that stem and of the PMU of `like', or else of none. */
static uint32_t
find(const struct cp_run *run, const char *stem, const char *like)
{
	char have[MOST_NAME];
	size_t pmu, own;
	uint32_t n = cp_run_evsel_count(run), plain = CP_NO_ID;

	stem_of(like, have, &own);
	for (uint32_t i = 0; i < n && i < MOST_EVENTS; i++) {
		const char *name = cp_run_evsel(run, i)->name;

		stem_of(name, have, &pmu);
		if (strcmp(have, stem) != 0)
			continue;
		if (pmu == own && strncmp(name, like, pmu) == 0)
			return i;
		if (pmu == 0 && plain == CP_NO_ID)
			plain = i;
	}
	return plain;
}

static struct cp_metric
a_second(const struct cp_run *run, const char *name)
{
	struct cp_metric m = { .factor = 1e9 /* clocks count ns */ };

	m.base = find(run, "task-clock", name);
	if (m.base == CP_NO_ID)
		m.base = find(run, "cpu-clock", name);
	if (m.base != CP_NO_ID)
		m.of = "a CPU second";
	return m;
}

struct cp_metric
cp_metric_of(const struct cp_run *run, uint32_t event)
{
	const struct cp_evsel *e = cp_run_evsel(run, event);
	struct cp_metric m = { .base = CP_NO_ID };
	char stem[MOST_NAME];
	size_t pmu, n;

	stem_of(e->name, stem, &pmu);
	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++) {
		const struct rule *r = &rules[i];

		if (strcmp(r->event, stem) != 0)
			continue;
		m.factor = r->factor;
		m.base =
		    r->base != NULL ? find(run, r->base, e->name) : CP_NO_ID;
		if (r->base == NULL || m.base != CP_NO_ID) {
			m.of = r->of;
			return m;
		}
	}
	n = strlen(stem);
	m.base = find(run, "instructions", e->name);
	if (n > 7 && strcmp(stem + n - 7, "-misses") == 0 &&
	    m.base != CP_NO_ID) {
		m.factor = 1000;
		m.of = "per 1,000 instructions";
		return m;
	}
	return e->unit[0] == '\0' ? a_second(run, e->name) : m;
}
