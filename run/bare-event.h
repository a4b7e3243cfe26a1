/* SPDX-License-Identifier: MIT */
/*
 * run/bare-event.h: compares events by what they count, independent of their
 * spelling.
 *
 * perf writes one event as cycles, cycles:u, cpu/cycles/ or
 * cpu-clock/freq=499/, depending on the command line and the host.  The bare
 * name is the one without modifiers, terms and PMU.
 */
#ifndef CP_RUN_BARE_EVENT_H
#define CP_RUN_BARE_EVENT_H

#include "base/base.h"

/*
 * Writes the bare name: "cycles" for "cpu_core/cycles/u", "cpu-clock" for
 * "cpu-clock/freq=499/".
 */
void cp_event_bare(const char *name, char *out, size_t size);

/*
 * Tells whether two events count the same, each on other cores:
 * cpu_core/cycles/u and cpu_atom/cycles/u.
 */
struct cp_evsel;
bool cp_event_same(const struct cp_evsel *, const struct cp_evsel *);

#endif
