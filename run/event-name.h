/* SPDX-License-Identifier: MIT */
/* run/event-name.h: finds events by the names that users type. */
#ifndef CP_RUN_EVENT_NAME_H
#define CP_RUN_EVENT_NAME_H

#include "run/choice.h"

struct cp_run;

/*
 * Answers the choice for all events of the capture.  A word means the event of
 * exactly that name; failing that, one of that bare name or alias; then a
 * tracepoint without its system; then the only event that begins so.
 */
void cp_events_choose(const struct cp_run *, struct cp_choice *);

#endif
