/* SPDX-License-Identifier: MIT */
#include "analyses/accounts/tellers.h"

#include "analyses/common/record-hint.h"

bool
cp_teller_recorded(const struct cp_run *run, const struct cp_probe *table)
{
	for (uint32_t i = 0; i < cp_run_evsel_count(run); i++)
		if (cp_probes_find(run, table, i) != CP_NO_ID &&
		    cp_event_sampled(cp_run_evsel(run, i)))
			return false;
	return cp_probes_have(run, table);
}
