/* SPDX-License-Identifier: MIT */
/*
 * analyses/waits/brief.h: time off the CPU in a few lines, for the overview of
 * a capture that has switches of threads.
 */
#ifndef CP_ANALYSES_WAITS_BRIEF_H
#define CP_ANALYSES_WAITS_BRIEF_H

#include <coldperf/plugin.h>

struct cp_offcpu_brief;

struct cp_offcpu_brief *cp_offcpu_brief_new(struct cp_run *);
/* Returns what begin() must also want; 0: the capture has no switches. */
uint32_t cp_offcpu_brief_wants(const struct cp_run *);
/* Call it with all samples, also those that the filters leave out. */
void cp_offcpu_brief_sample(struct cp_offcpu_brief *, const struct cp_sample *);
void cp_offcpu_brief_event(
    struct cp_offcpu_brief *, const struct cp_sideband *);
/* false: there is nothing to show. */
bool cp_offcpu_brief_show(struct cp_offcpu_brief *, struct cp_report *);

#endif
