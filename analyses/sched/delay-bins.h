/* SPDX-License-Identifier: MIT */
/* analyses/sched/delay-bins.h: durations as a histogram that people read. */
#ifndef CP_ANALYSES_SCHED_DELAY_BINS_H
#define CP_ANALYSES_SCHED_DELAY_BINS_H

#include "analyses/sched/delays.h"

/* Adds bins whose bounds are 1, 2 and 5 times powers of ten. */
void cp_delays_show(struct cp_run *, const struct cp_delays *const *stores,
    size_t n_stores, struct cp_histogram *);

#endif
