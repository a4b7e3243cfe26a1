/* SPDX-License-Identifier: MIT */
#include "analyses/common/event.h"

#include <stdio.h>
#include <string.h>

#include "analyses/common/label.h"

bool
cp_event_counts(const struct cp_run *run, uint32_t event)
{
	return event < cp_run_evsel_count(run) &&
	       !cp_run_evsel(run, event)->dummy;
}

const char *
cp_event_name(struct cp_run *run, uint32_t event)
{
	return event < cp_run_evsel_count(run) ? cp_run_event_name(run, event)
					       : "[unknown]";
}

void
cp_event_shares_add(struct cp_event_shares *s, struct cp_run *run,
    uint32_t event, uint64_t part, uint64_t whole)
{
	size_t n = strlen(s->text);
	struct cp_word p;

	(void)snprintf(s->text + n, sizeof(s->text) - n, "%s%s of %.100s",
	    n != 0 ? ", " : "",
	    cp_word_percent(&p, (double)part, (double)whole),
	    cp_event_name(run, event));
}

/* Numbers of linux/perf_event.h. */
enum {
	TYPE_HARDWARE = 0,
	TYPE_SOFTWARE = 1,
	CPU_CLOCK = 0,
	TASK_CLOCK = 1,
	CPU_CYCLES = 0,
	INSTRUCTIONS = 1,
};

#define SAMPLE_PERIOD (UINT64_C(1) << 8) /* of sample_type */

/* On a machine with two kinds of CPU the upper half of config is the kind. */
static uint32_t
config_of(const struct cp_evsel *e)
{
	return (uint32_t)e->config;
}

bool
cp_event_is_clock(const struct cp_evsel *e)
{
	return e->type == TYPE_SOFTWARE &&
	       (config_of(e) == CPU_CLOCK || config_of(e) == TASK_CLOCK);
}

uint64_t
cp_event_ns(const struct cp_evsel *e, const struct cp_sample *s)
{
	if (!e->freq || (e->sample_type & SAMPLE_PERIOD) != 0 ||
	    e->sample_period == 0)
		return s->period;
	return UINT64_C(1000000000) / e->sample_period;
}

/* Returns the unit of the samples' periods. */
static const char *
unit_of_period(const struct cp_evsel *e)
{
	if (cp_event_is_clock(e))
		return "ns";
	if (e->type == TYPE_HARDWARE && config_of(e) == CPU_CYCLES)
		return "cycles";
	if (e->type == TYPE_HARDWARE && config_of(e) == INSTRUCTIONS)
		return "instructions";
	return "events";
}

const char *
cp_event_unit(const struct cp_run *run, const struct cp_evsel *e)
{
	const char *weight = cp_run_weight_name(run);

	if (strcmp(weight, "period") == 0)
		return unit_of_period(e);
	return strcmp(weight, "time") == 0 ? "ns" : weight;
}

bool
cp_event_measures_time(const struct cp_evsel *e)
{
	enum { HARDWARE, SOFTWARE };

	/* Cycles and reference cycles; the CPU's and the task's clock. */
	if (e->type == HARDWARE)
		return (e->config & 0xff) == 0 || (e->config & 0xff) == 9;
	if (e->type == SOFTWARE)
		return e->config <= 1;
	return !e->tracepoint && strstr(e->name, "cycles") != NULL;
}

double
cp_event_interval(const struct cp_evsel *e)
{
	if (e->freq && e->sample_period != 0)
		return 1e9 / (double)e->sample_period;
	if (e->type == 1 /* PERF_TYPE_SOFTWARE */ && e->config <= 1)
		return (double)e->sample_period;
	return 0;
}

bool
cp_event_user_only(const struct cp_evsel *e)
{
	const char *modifiers = strrchr(e->name, ':');

	if (modifiers == NULL || e->tracepoint ||
	    strspn(modifiers + 1, "ukhGHIpPSDWeb") != strlen(modifiers + 1))
		return false;
	return strchr(modifiers, 'u') != NULL &&
	       strpbrk(modifiers, "kh") == NULL;
}

uint32_t
cp_event_of_time(struct cp_run *run)
{
	uint32_t best = CP_NO_ID;

	for (uint32_t i = 0; i < cp_run_evsel_count(run); i++) {
		const struct cp_evsel *e = cp_run_evsel(run, i);

		if (cp_event_measures_time(e) && !e->tracepoint &&
		    cp_run_keeps_event(run, i) &&
		    (best == CP_NO_ID ||
			cp_event_before(e, 0, cp_run_evsel(run, best), 0)))
			best = i;
	}
	return best != CP_NO_ID ? cp_run_event_of(run, best) : CP_NO_ID;
}
