/* SPDX-License-Identifier: MIT */
/*
 * analyses/sched/brief.h: waits for a CPU in a few lines, for the overview of a
 * capture that has sched_switch.
 */
#ifndef CP_ANALYSES_SCHED_BRIEF_H
#define CP_ANALYSES_SCHED_BRIEF_H

#include <coldperf/plugin.h>

#include "analyses/summary/brief-part.h"

struct cp_sched_brief;

struct cp_sched_brief *cp_sched_brief_new(struct cp_run *);
/*
 * Call it with all samples, also those that the filters leave out, with their
 * payload.
 */
void cp_sched_brief_sample(struct cp_sched_brief *, const struct cp_sample *);
void cp_sched_brief_event(struct cp_sched_brief *, const struct cp_sideband *);
/* false: there is nothing to show. */
bool cp_sched_brief_show(
    struct cp_sched_brief *, struct cp_brief_lines *, struct cp_report *);

#endif
