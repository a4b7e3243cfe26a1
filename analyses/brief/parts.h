/* SPDX-License-Identifier: MIT */
/*
 * analyses/brief/parts.h: what other analyses would find in the capture, in
 * three lines each; and what was not recorded.
 *
 * This room collects the lines of all parts for the overview.  It may use
 * coldperf/plugin.h, analyses/common and the brief.h of other rooms.  Begin in
 * parts.c; findings.c has what is found in samples of CPU time.
 */
#ifndef CP_ANALYSES_BRIEF_PARTS_H
#define CP_ANALYSES_BRIEF_PARTS_H

#include "analyses/summary/brief-part.h"

struct cp_brief_parts;

struct cp_brief_parts *cp_brief_parts_new(struct cp_run *);
/* Returns the CP_WANT_* flags that the parts need. */
uint32_t cp_brief_parts_wants(const struct cp_run *);
/* Call it with all samples, also those that the filters leave out. */
void cp_brief_parts_sample(struct cp_brief_parts *, const struct cp_sample *);
void cp_brief_parts_event(struct cp_brief_parts *, const struct cp_sideband *);
/* Adds the table of lines, if there are any. */
void cp_brief_parts_show(
    struct cp_brief_parts *, struct cp_brief_lines *, struct cp_report *);
/*
 * Adds the table of data that was not recorded; waits: the capture has the
 * waits of threads.
 */
void cp_brief_parts_missing(
    const struct cp_brief_parts *, bool waits, struct cp_report *);

#endif
