/* SPDX-License-Identifier: MIT */
/* run/merge/events.h: the events of a capture in the union, by their names. */
#ifndef CP_RUN_MERGE_EVENTS_H
#define CP_RUN_MERGE_EVENTS_H

#include "run/merge/union.h"

/*
 * Gives the union the events of a capture that was just opened.  Analyses are
 * added to `all` after the first such call.
 */
void cp_merge_events_new(struct cp_merger *, const struct cp_run *part);
/* Adds them when it was read; CP_FAIL: they cannot be added up. */
int cp_merge_events_add(
    struct cp_merger *, const struct cp_run *part) CP_MUST_USE;
/*
 * The union's event for event i of the capture, or NULL if it has none yet.
 * Events of one name that a capture has twice stay two.
 */
struct cp_evsel_info *cp_merge_event(
    const struct cp_merger *, const struct cp_run *part, uint32_t i);
/* Adds the capture's losses to the union's events. */
void cp_merge_event_losses(struct cp_merger *, const struct cp_run *part);

#endif
