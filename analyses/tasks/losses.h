/* SPDX-License-Identifier: MIT */
/*
 * analyses/tasks/losses.h: the times in which records were lost.
 */
#ifndef CP_ANALYSES_TASKS_LOSSES_H
#define CP_ANALYSES_TASKS_LOSSES_H

#include "analyses/tasks/task-state.h"

/* True if a record was lost since that time. */
bool cp_taskstate_lost(const struct cp_taskstate *, uint64_t since);
/* True if a record was lost between these times. */
bool cp_taskstate_lost_within(
    const struct cp_taskstate *, uint64_t from, uint64_t to);
/* Returns where the last loss began; CP_NO_TIME: nothing was lost. */
uint64_t cp_taskstate_loss(const struct cp_taskstate *);

#endif
