/* SPDX-License-Identifier: MIT */
/* analyses/sched/latency.h: how long threads or commands waited, in perf's
 * order. */
#ifndef CP_ANALYSES_SCHED_LATENCY_H
#define CP_ANALYSES_SCHED_LATENCY_H

#include "analyses/sched/gather.h"

/* A row per thread or name, perf's order. */
void cp_sched_latency(struct cp_sched *, struct cp_report *);

#endif
