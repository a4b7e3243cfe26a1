/* SPDX-License-Identifier: MIT */
/*
 * analyses/tasks/held.h: spans that wait until no loss can touch them.
 */
#ifndef CP_ANALYSES_TASKS_HELD_H
#define CP_ANALYSES_TASKS_HELD_H

#include "analyses/tasks/task-state.h"

/* Tells a span after a while: a loss that is not known yet may touch it. */
void cp_held_add(struct cp_taskstate *, const struct cp_span *);
/*
 * Records were lost since start.  Those of a known CPU say nothing of threads
 * that ran on others.
 */
void cp_held_lose(struct cp_taskstate *, uint64_t start, bool known_cpu);
/* Tells all that are held. */
void cp_held_release(struct cp_taskstate *);

/* Says what losses that were told too late may have left wrong. */
void cp_taskstate_note(const struct cp_taskstate *, struct cp_report *);

#endif
