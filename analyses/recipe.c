/* SPDX-License-Identifier: MIT */
#include "analyses/recipe.h"

#define SAMPLE_CALLCHAIN (UINT64_C(1) << 5)

void
cp_recipe_note(struct cp_report *rep, const char *what, const char *options)
{
	cp_report_note(rep,
	    "the capture has no %s; this records them, on the whole machine "
	    "for ten seconds: perf record %s -a -- sleep 10",
	    what, options);
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

void
cp_recipe_sampled(const struct cp_run *run, const struct cp_probe *table,
    struct cp_report *rep)
{
	for (uint32_t i = 0; i < cp_run_evsel_count(run); i++) {
		const struct cp_evsel *e = cp_run_evsel(run, i);

		if (cp_probes_find(run, table, i) == CP_NO_ID ||
		    (!e->freq && e->sample_period <= 1) || e->samples == 0)
			continue;
		cp_report_note(rep,
		    "%.200s was sampled: not each one is in the capture, and "
		    "times between two of them are not to be trusted; give a "
		    "frequency to other events alone: -e cpu-clock/freq=99/",
		    e->name);
	}
}
