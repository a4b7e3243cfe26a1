/* SPDX-License-Identifier: MIT */
/*
 * run/bare-event.h: events by what they are, whatever they are called.
 *
 * perf calls one event cycles, cycles:u, cpu/cycles/, cpu-clock/freq=499/,
 * as it was typed and as the host has it.  The bare name is what is left
 * without modifiers, terms and PMU.
 */
#ifndef CP_RUN_BARE_EVENT_H
#define CP_RUN_BARE_EVENT_H

#include "base/base.h"

/* "cpu_core/cycles/u" is "cycles", "cpu-clock/freq=499/" "cpu-clock". */
void cp_event_bare(const char *name, char *out, size_t size);

#endif
