/* SPDX-License-Identifier: MIT */
/*
 * run/event-name.h: events by the names that people give them.
 */
#ifndef CP_RUN_EVENT_NAME_H
#define CP_RUN_EVENT_NAME_H

#include "run/choice.h"

struct cp_run;

/*
 * Answers the choice for all events of the capture.  A word means the event
 * of that name; else those of that bare name, or alias; else a tracepoint
 * without its system; else the one that begins so.
 */
void cp_events_choose(const struct cp_run *, struct cp_choice *);

#endif
