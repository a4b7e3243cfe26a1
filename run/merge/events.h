/* SPDX-License-Identifier: MIT */
/* run/merge/events.h: the events of a capture in the union, by their names. */
#ifndef CP_RUN_MERGE_EVENTS_H
#define CP_RUN_MERGE_EVENTS_H

#include "run/merge/union.h"

/*
 * Makes a capture that was just opened one of the union.  Analyses are added
 * to `all` after the first such call.
 */
int cp_merge_events(struct cp_merger *, struct cp_run *part) CP_MUST_USE;
/*
 * The union's event for event i of the capture, or NULL if it has none yet.
 * Events of one name that a capture has twice stay two.
 */
struct cp_evsel_info *cp_merge_event(
    const struct cp_merger *, const struct cp_run *part, uint32_t i);
/* Adds the capture's losses to the union's events. */
void cp_merge_event_losses(struct cp_merger *, const struct cp_run *part);

#endif
