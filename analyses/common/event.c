/* SPDX-License-Identifier: MIT */
#include "analyses/common/event.h"

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
