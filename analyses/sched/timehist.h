/* SPDX-License-Identifier: MIT */
/* analyses/sched/timehist.h: a row per switch. */
#ifndef CP_ANALYSES_SCHED_TIMEHIST_H
#define CP_ANALYSES_SCHED_TIMEHIST_H

#include "analyses/sched/gather.h"

void cp_sched_timehist(struct cp_sched *, struct cp_report *);
/* Which task each CPU ran, switch by switch. */
void cp_sched_map(struct cp_sched *, struct cp_report *);

#endif
