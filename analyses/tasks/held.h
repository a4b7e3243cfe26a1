/* SPDX-License-Identifier: MIT */
/*
 * analyses/tasks/held.h: spans that are held back until no LOST record can
 * change them.
 */
#ifndef CP_ANALYSES_TASKS_HELD_H
#define CP_ANALYSES_TASKS_HELD_H

#include "analyses/tasks/task-state.h"

/* Holds a span back, because a loss that is not reported yet may change it. */
void cp_held_add(struct cp_taskstate *, const struct cp_span *);
/*
 * Reports that records were lost since start.  A loss on a known CPU does not
 * concern threads that ran on others.
 */
void cp_held_lose(struct cp_taskstate *, uint64_t start, bool known_cpu);
/* Passes all spans that are held to the analysis. */
void cp_held_release(struct cp_taskstate *);

/* Notes losses that were reported too late to correct the spans. */
void cp_taskstate_note(const struct cp_taskstate *, struct cp_report *);

#endif
