/* SPDX-License-Identifier: MIT */
/* analyses/sched/worst-table.h: the longest waits, explained. */
#ifndef CP_ANALYSES_SCHED_WORST_TABLE_H
#define CP_ANALYSES_SCHED_WORST_TABLE_H

#include "analyses/sched/gather.h"

void cp_sched_worst(struct cp_sched *, struct cp_report *);

#endif
