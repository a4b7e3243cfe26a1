/* SPDX-License-Identifier: MIT */
/*
 * analyses/tasks/pools.h: merges the threads of a pool: worker/0 ... worker/63.
 *
 * A pool is the threads of one process whose names differ in numbers only.
 * Kernel threads have a process each; their names have a slash before the
 * number.
 */
#ifndef CP_ANALYSES_TASKS_POOLS_H
#define CP_ANALYSES_TASKS_POOLS_H

#include "analyses/common/sample-groups.h"

/*
 * For samples grouped by command: gives the groups of a pool the pool's name,
 * and merges groups that are then equal.  Does nothing if threads are a key.
 */
void cp_pools_merge(struct cp_groups *);
/*
 * Does the same for samples grouped by thread: groups of the same name in a
 * process are merged, without TID.  If more than five processes have the same
 * name, these are merged, too, without PID, except those whose weight is at
 * least `small`.  Returns the number of threads by group; 0: another group
 * stands for it.
 */
const uint32_t *cp_pools_merge_threads(
    struct cp_groups *, const uint64_t *weight, uint64_t small);

#endif
