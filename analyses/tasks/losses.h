/* SPDX-License-Identifier: MIT */
/*
 * analyses/tasks/losses.h: the times in which records were lost.
 */
#ifndef CP_ANALYSES_TASKS_LOSSES_H
#define CP_ANALYSES_TASKS_LOSSES_H

#include "analyses/tasks/task-state.h"

/* True if a record was lost since that time. */
bool cp_taskstate_lost(const struct cp_taskstate *, uint64_t since);
/* Returns where the last loss began; CP_NO_TIME: nothing was lost. */
uint64_t cp_taskstate_loss(const struct cp_taskstate *);

struct cp_sched_loss {
	uint64_t start, end;
};

/*
 * Adds a loss; they come in order of their ends, and overlapping ones are
 * merged.
 */
void cp_loss_add(struct cp_taskstate *, uint64_t start, uint64_t end);
/* Finds the first loss that ends after a time; NULL: none does. */
const struct cp_sched_loss *cp_loss_after(
    const struct cp_taskstate *, uint64_t time);

#endif
