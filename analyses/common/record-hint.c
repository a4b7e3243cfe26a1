/* SPDX-License-Identifier: MIT */
#include "analyses/common/record-hint.h"

#include <stdio.h>
#include <string.h>

#include "analyses/common/label.h"

#define SAMPLE_CALLCHAIN (UINT64_C(1) << 5)

void
cp_recipe_note(struct cp_report *rep, const char *what, enum cp_advice_id id)
{
	cp_report_note(rep,
	    "the capture has no %s; this records them, on the whole machine "
	    "for ten seconds: perf record %s -a -- sleep 10",
	    what, cp_advice[id].options);
}

static bool
recorded(const struct cp_run *run, const char *name)
{
	for (uint32_t i = 0; i < cp_run_evsel_count(run); i++)
		if (cp_probe_match(name, cp_run_evsel(run, i)->name) != NULL)
			return true;
	return false;
}

/* Writes the event's name: the pattern with rest in place of "*". */
static void
name_half(char *name, size_t size, const char *pattern, const char *rest)
{
	int n = (int)strcspn(pattern, "*");

	(void)snprintf(
	    name, size, "%.*s%.*s", n, pattern, (int)strcspn(rest, ":"), rest);
}

/* Notes an event that is one half of a pair whose other half is missing. */
static bool
half(const struct cp_run *run, const struct cp_recipe_pair *pair,
    const char *event, struct cp_report *rep)
{
	for (int i = 0; i < 2; i++) {
		const char *rest = cp_probe_match(pair->event[i], event);
		char name[2][128];

		if (rest == NULL)
			continue;
		for (int k = 0; k < 2; k++)
			name_half(
			    name[k], sizeof(name[k]), pair->event[k], rest);
		if (recorded(run, name[!i]))
			return false;
		cp_report_note(rep,
		    "%s was recorded without %s, so nothing has a length; "
		    "this records both: perf record -e %s,%s -a -- sleep 10",
		    name[i], name[!i], name[0], name[1]);
		return true;
	}
	return false;
}

void
cp_recipe_unpaired(const struct cp_run *run, const struct cp_recipe_pair *pairs,
    struct cp_report *rep)
{
	for (uint32_t i = 0; i < cp_run_evsel_count(run); i++)
		for (const struct cp_recipe_pair *p = pairs;
		     p->event[0] != NULL; p++)
			if (half(run, p, cp_run_evsel(run, i)->name, rep))
				return;
}

void
cp_recipe_left_out(struct cp_report *rep, bool raw, uint64_t n)
{
	const char *events[] = { "raw_syscalls:*", "syscalls:*" };
	struct cp_word count;

	cp_report_note(rep,
	    "calls are counted by %s; %s samples of %s are left out, and "
	    "counted with --event '%s'",
	    events[!raw], cp_word_count(&count, n), events[raw], events[raw]);
}

bool
cp_probes_have_chains(const struct cp_run *run, const struct cp_probe *table)
{
	for (uint32_t i = 0; i < cp_run_evsel_count(run); i++)
		if (cp_probes_find(run, table, i) != CP_NO_ID &&
		    (cp_run_evsel(run, i)->sample_type & SAMPLE_CALLCHAIN))
			return true;
	return false;
}

bool
cp_event_sampled(const struct cp_evsel *e)
{
	return e->freq || e->sample_period > 1;
}

bool
cp_recipe_sampled(const struct cp_run *run, const struct cp_probe *table,
    struct cp_report *rep)
{
	bool any = false;

	for (uint32_t i = 0; i < cp_run_evsel_count(run); i++) {
		const struct cp_evsel *e = cp_run_evsel(run, i);

		if (cp_probes_find(run, table, i) == CP_NO_ID ||
		    !cp_event_sampled(e) || e->samples == 0)
			continue;
		any = true;
		cp_report_note(rep,
		    "%.200s was sampled: not each one is in the capture, and "
		    "times between two of them would not be true, so none are "
		    "shown; this records each: perf record -c 1 -e %.200s -a "
		    "-- sleep 10; a frequency goes with the event that wants "
		    "it: -e cpu-clock/freq=99/",
		    e->name, e->name);
	}
	return any;
}

void
cp_recipe_title(const struct cp_run *run, const struct cp_probe *table,
    struct cp_report *rep)
{
	const struct cp_evsel *best = NULL;

	for (uint32_t i = 0; i < cp_run_evsel_count(run); i++) {
		const struct cp_evsel *e = cp_run_evsel(run, i);

		if (cp_probes_find(run, table, i) != CP_NO_ID &&
		    e->samples > (best != NULL ? best->samples : 0))
			best = e;
	}
	cp_report_event(rep, best != NULL ? best->name : "");
}
