/* SPDX-License-Identifier: MIT */
#include "analyses/profile/events.h"

#include <string.h>

#include "analyses/common/event.h"

static struct cp_profile_event
row_of(const struct cp_run *run, const struct cp_evsel *e)
{
	return (struct cp_profile_event){
		.name = e->name,
		.unit = cp_event_unit(run, e),
		.type = e->type,
		.config = e->config,
		.period = e->sample_period,
		.freq = e->freq,
		.clock = cp_event_is_clock(e) &&
			 strcmp(cp_event_unit(run, e), "ns") == 0,
		.complete = cp_evsel_complete(e),
		.lost = e->lost,
		.lost_samples = e->lost_samples,
		.throttled = e->throttled,
		.sample_type = e->sample_type,
		.stack_user = e->stack_user,
		.rates = e->rates,
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
