/* SPDX-License-Identifier: MIT */
/* analyses/locks/tables.h: callers, locks, futexes, threads, stacks. */
#ifndef CP_ANALYSES_LOCKS_TABLES_H
#define CP_ANALYSES_LOCKS_TABLES_H

#include "analyses/locks/count.h"

void cp_locks_tables(struct cp_locks *, struct cp_report *);

#endif
