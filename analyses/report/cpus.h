/* SPDX-License-Identifier: MIT */
/* analyses/report/cpus.h: CPUs that were not recorded. */
#ifndef CP_ANALYSES_REPORT_CPUS_H
#define CP_ANALYSES_REPORT_CPUS_H

#include "analyses/report/symbols.h"

/*
 * Whether a thread that was not seen to run may have run on a CPU that was not
 * recorded (perf record -C).
 */
bool cp_overview_lacks_cpus(const struct cp_overview *);
/* Adds notes to the table of waits for a CPU. */
void cp_overview_note_waits(const struct cp_overview *, struct cp_report *);

/* Notes which CPUs have the most and the fewest samples. */
void cp_overview_note_cpus(struct cp_overview *, struct cp_report *);

#endif
