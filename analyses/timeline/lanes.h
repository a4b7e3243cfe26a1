/* SPDX-License-Identifier: MIT */
/* analyses/timeline/lanes.h: lanes of threads and of CPUs. */
#ifndef CP_ANALYSES_TIMELINE_LANES_H
#define CP_ANALYSES_TIMELINE_LANES_H

#include "analyses/timeline/series.h"

/* Adds lanes from the scheduler's events. */
void cp_timeline_lanes(struct timeline *, struct cp_report *,
    const struct cp_buckets *, bool cpus);
/* Adds lanes from samples, for a capture without these events. */
void cp_timeline_sampled(const struct timeline *, struct cp_report *,
    const struct cp_buckets *, bool cpus);

#endif
