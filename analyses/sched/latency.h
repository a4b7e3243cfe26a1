/* SPDX-License-Identifier: MIT */
/* analyses/sched/latency.h: how long threads or commands waited, in perf's
 * order. */
#ifndef CP_ANALYSES_SCHED_LATENCY_H
#define CP_ANALYSES_SCHED_LATENCY_H

#include "analyses/accounts/accounts.h"
#include "analyses/sched/gather.h"

/* A row per thread or name, perf's order. */
void cp_sched_latency(struct cp_sched *, struct cp_report *);
/*
 * For the overview: a few rows, the threads with the largest sums; and adds the
 * longest wait, unless accounts are NULL.  false: there are none.
 */
bool cp_sched_latency_brief(
    struct cp_sched *, struct cp_accounts *, struct cp_report *);

#endif
