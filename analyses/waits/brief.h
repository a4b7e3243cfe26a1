/* SPDX-License-Identifier: MIT */
/*
 * analyses/waits/brief.h: time off the CPU in a few lines, for the overview of
 * a capture that has switches of threads.
 */
#ifndef CP_ANALYSES_WAITS_BRIEF_H
#define CP_ANALYSES_WAITS_BRIEF_H

#include <coldperf/plugin.h>

struct cp_offcpu_brief;
struct cp_waitclasses;
struct cp_waitwatch;

struct cp_offcpu_brief *cp_offcpu_brief_new(struct cp_run *);
/* Returns what begin() must also want; 0: the capture has no switches. */
uint32_t cp_offcpu_brief_wants(const struct cp_run *);
/*
 * Ends it and names its stacks; false: there is nothing to show.  Adds the
 * notes that say why.
 */
bool cp_offcpu_brief_finish(struct cp_offcpu_brief *, struct cp_report *);
/* After a finish() that was true. */
void cp_offcpu_brief_show(struct cp_offcpu_brief *, struct cp_report *);
/* What it watches, and how it classes waits. */
struct cp_waitwatch *cp_offcpu_brief_watch(struct cp_offcpu_brief *);
struct cp_waitclasses *cp_offcpu_brief_classes(struct cp_offcpu_brief *);

#endif
