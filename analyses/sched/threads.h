/* SPDX-License-Identifier: MIT */
/* analyses/sched/threads.h: states, switches and wakers of each thread. */
#ifndef CP_ANALYSES_SCHED_THREADS_H
#define CP_ANALYSES_SCHED_THREADS_H

#include "analyses/sched/gather.h"

void cp_sched_threads(struct cp_sched *, struct cp_report *);

#endif
