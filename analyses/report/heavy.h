/* SPDX-License-Identifier: MIT */
/*
 * analyses/report/heavy.h: which code the event's samples are of: the
 * program's own function that costs most, the widest one below main, the
 * heaviest object, what other events have most of, who was recorded.
 */
#ifndef CP_ANALYSES_REPORT_HEAVY_H
#define CP_ANALYSES_REPORT_HEAVY_H

#include "analyses/report/symbols.h"
#include "analyses/summary/brief-part.h"

/* Of the event shown; verb: "took" for time, "has" for other events. */
void cp_heavy_show(
    struct cp_overview *, const char *verb, struct cp_brief_lines *);
/* Of an event with few samples. */
void cp_few_show(struct cp_overview *, struct cp_brief_lines *);
/* If few samples carry most of the weight, all shares are uncertain. */
void cp_uneven_show(struct cp_overview *, struct cp_brief_lines *);
/* Which commands the samples are of, where there are several. */
void cp_recorded_show(struct cp_overview *, struct cp_brief_lines *);
/* Where other events than the one shown, and than time, have their samples. */
void cp_other_events_show(struct cp_overview *, struct cp_brief_lines *);

#endif
