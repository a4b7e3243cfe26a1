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
