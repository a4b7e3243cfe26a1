/* SPDX-License-Identifier: MIT */
#include "analyses/profile/events.h"

#include <string.h>

#include "analyses/common/event.h"

/* Numbers of linux/perf_event.h. */
enum {
	TYPE_HARDWARE = 0,
	TYPE_SOFTWARE = 1,
	CPU_CLOCK = 0,
	TASK_CLOCK = 1,
	CPU_CYCLES = 0,
	INSTRUCTIONS = 1,
};

/* On a machine with two kinds of CPU the upper half tells which. */
static uint32_t
config_of(const struct cp_evsel *e)
{
	return (uint32_t)e->config;
}

static bool
is_clock(const struct cp_evsel *e)
{
	return e->type == TYPE_SOFTWARE &&
	       (config_of(e) == CPU_CLOCK || config_of(e) == TASK_CLOCK);
}

/* What one is of the periods that its samples have. */
static const char *
unit_of_period(const struct cp_evsel *e)
{
	if (is_clock(e))
		return "ns";
	if (e->type == TYPE_HARDWARE && config_of(e) == CPU_CYCLES)
		return "cycles";
	if (e->type == TYPE_HARDWARE && config_of(e) == INSTRUCTIONS)
		return "instructions";
	return "events";
}

static const char *
unit_of(const struct cp_run *run, const struct cp_evsel *e)
{
	const char *weight = cp_run_weight_name(run);

	if (strcmp(weight, "period") == 0)
		return unit_of_period(e);
	return strcmp(weight, "time") == 0 ? "ns" : weight;
}

const char *
cp_profile_unit(const struct cp_run *run, uint32_t event)
{
	return unit_of(run, cp_run_evsel(run, event));
}

static struct cp_profile_event
row_of(const struct cp_run *run, const struct cp_evsel *e)
{
	return (struct cp_profile_event){
		.name = e->name,
		.unit = unit_of(run, e),
		.type = e->type,
		.config = e->config,
		.period = e->sample_period,
		.freq = e->freq,
		.clock = is_clock(e) && strcmp(unit_of(run, e), "ns") == 0,
		.complete = cp_evsel_complete(e),
		.lost = e->lost,
		.lost_samples = e->lost_samples,
		.throttled = e->throttled,
	};
}

const uint32_t *
cp_profile_events_show(struct cp_profile *p, struct cp_run *run,
    const struct cp_event_sum_of *sums, uint32_t n)
{
	uint32_t all = cp_run_evsel_count(run);
	uint32_t *row = cp_run_alloc(run, (all + (size_t)1) * sizeof(*row));

	for (uint32_t i = 0; i < all; i++) {
		struct cp_profile_event e;

		row[i] = CP_NO_ID;
		if (!cp_event_counts(run, i))
			continue;
		e = row_of(run, cp_run_evsel(run, i));
		if (i < n) {
			e.samples = sums[i].samples;
			e.weight = sums[i].weight;
		}
		row[i] = cp_profile_event(p, &e);
	}
	return row;
}
