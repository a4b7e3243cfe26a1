/* SPDX-License-Identifier: MIT */
/* analyses/sched/tables.h: the tables of sched. */
#ifndef CP_ANALYSES_SCHED_TABLES_H
#define CP_ANALYSES_SCHED_TABLES_H

#include "analyses/sched/gather.h"

/* cpus.c: a row per CPU, and heat maps. */

void cp_sched_cpus(struct cp_sched *, struct cp_report *);

/* threads.c: states, switches and wakers of each thread. */

void cp_sched_threads(struct cp_sched *, struct cp_report *);

/* worst-table.c: the longest waits, explained. */

void cp_sched_worst(struct cp_sched *, struct cp_report *);

/* latency.c: how long threads or commands waited, in perf's order. */

/* A row per thread or name, perf's order. */
void cp_sched_latency(struct cp_sched *, struct cp_report *);

#endif
