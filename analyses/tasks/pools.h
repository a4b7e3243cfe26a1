/* SPDX-License-Identifier: MIT */
/*
 * analyses/tasks/pools.h: threads of a pool as one: worker/0 ... worker/63.
 *
 * They are threads of one process whose names differ in numbers only.  Those
 * of the kernel have a process each, and names with a slash before the number.
 */
#ifndef CP_ANALYSES_TASKS_POOLS_H
#define CP_ANALYSES_TASKS_POOLS_H

#include "analyses/common/sample-groups.h"

/*
 * Of samples grouped by command: gives groups of a pool its name, and makes
 * those that are then equal one.  Nothing, if threads are a key.
 */
void cp_pools_merge(struct cp_groups *);
/*
 * The same of samples grouped by thread: all of a name in a process are one,
 * without TID.  So are the processes of a name that has more than five, but
 * for those whose weight is at least `small`; they have no PID.  Gives the
 * number of threads of each group, 0: it is part of another.
 */
const uint32_t *cp_pools_merge_threads(
    struct cp_groups *, const uint64_t *weight, uint64_t small);

#endif
