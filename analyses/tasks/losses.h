/* SPDX-License-Identifier: MIT */
/*
 * analyses/tasks/losses.h: the times in which records were lost.
 */
#ifndef CP_ANALYSES_TASKS_LOSSES_H
#define CP_ANALYSES_TASKS_LOSSES_H

#include "analyses/tasks/task-state.h"

/* Whether a record was lost since then. */
bool cp_taskstate_lost(const struct cp_taskstate *, uint64_t since);
/* Where the last loss began; CP_NO_TIME: nothing was lost. */
uint64_t cp_taskstate_loss(const struct cp_taskstate *);

struct cp_sched_loss {
	uint64_t start, end;
};

/* They come in the order of their ends; what overlaps becomes one. */
void cp_loss_add(struct cp_taskstate *, uint64_t start, uint64_t end);
/* The first that ends after a time; NULL: none does. */
const struct cp_sched_loss *cp_loss_after(
    const struct cp_taskstate *, uint64_t time);

#endif
