/* SPDX-License-Identifier: MIT */
/* analyses/sched/cpus.h: a row per CPU, and heat maps. */
#ifndef CP_ANALYSES_SCHED_CPUS_H
#define CP_ANALYSES_SCHED_CPUS_H

#include "analyses/sched/gather.h"

void cp_sched_cpus(struct cp_sched *, struct cp_report *);

#endif
