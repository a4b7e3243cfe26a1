/* SPDX-License-Identifier: MIT */
/*
 * run/event-name.h: events by the names that people give them, and the one
 * that a report is about.
 *
 * perf calls one event cycles, cycles:u, cpu/cycles/, cpu-clock/freq=499/,
 * as it was typed and as the host has it.  The bare name is what is left
 * without modifiers, terms and PMU.
 */
#ifndef CP_RUN_EVENT_NAME_H
#define CP_RUN_EVENT_NAME_H

#include "run/choice.h"

struct cp_run;

/* "cpu_core/cycles/u" is "cycles", "cpu-clock/freq=499/" "cpu-clock". */
void cp_event_bare(const char *name, char *out, size_t size);
/*
 * Answers the choice for all events of the capture.  A word means the event
 * of that name; else those of that bare name, or alias; else a tracepoint
 * without its system; else the one that begins so.
 */
void cp_events_choose(const struct cp_run *, struct cp_choice *);

#endif
