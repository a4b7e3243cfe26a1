/* SPDX-License-Identifier: MIT */
/* analyses/profile/events.h: the events of a profile, all but dummies. */
#ifndef CP_ANALYSES_PROFILE_EVENTS_H
#define CP_ANALYSES_PROFILE_EVENTS_H

#include <coldperf/profile.h>

struct cp_event_sum_of {
	uint64_t samples, weight;
};

/*
 * Adds the events; sums are by index of the run.  Returns the rows' numbers by
 * index; CP_NO_ID: a dummy.
 */
const uint32_t *cp_profile_events_show(struct cp_profile *, struct cp_run *,
    const struct cp_event_sum_of *sums, uint32_t n);

#endif
