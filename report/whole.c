/* SPDX-License-Identifier: MIT */
/* The whole of an event's shares, and whether it was sampled. */
#include <coldperf/plugin.h>

/* Software events up to it are clocks: cpu-clock, task-clock. */
#define LAST_CLOCK 1
#define TYPE_SOFTWARE 1

bool
cp_evsel_complete(const struct cp_evsel *e)
{
	bool counts = e->tracepoint ||
		      (e->type == TYPE_SOFTWARE && e->config > LAST_CLOCK);

	return counts && !e->freq && e->sample_period == 1;
}

struct cp_whole
cp_tally_whole(
    const struct cp_run *run, const struct cp_tally *tally, uint32_t evsel)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(tally, &rows);
	struct cp_whole whole = { 0 };

	for (size_t i = 0; i < n; i++) {
		if (rows[i].a != evsel)
			continue;
		whole.mass.weight += rows[i].weight;
		whole.mass.weight_sq += rows[i].weight_sq;
	}
	if (evsel < cp_run_evsel_count(run))
		whole.complete = cp_evsel_complete(cp_run_evsel(run, evsel));
	return whole;
}
