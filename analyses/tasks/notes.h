/* SPDX-License-Identifier: MIT */
/*
 * analyses/tasks/notes.h: what readers must know of the spans of threads
 * (coldperf/spans.h).
 *
 * This room has what analyses of threads share: pools.c merges the threads of a
 * pool.  It may use include/coldperf, analyses/lost and analyses/common.
 */
#ifndef CP_ANALYSES_TASKS_NOTES_H
#define CP_ANALYSES_TASKS_NOTES_H

#include <coldperf/spans.h>

#include "analyses/common/tracepoint-fields.h"

/*
 * Events that tell how long something took.  If they were sampled (not every
 * occurrence is recorded) spans are not made of them: most switches would be
 * missing.
 */
extern const struct cp_probe cp_sched_probes[];

/* Notes the scope of the capture, and losses that came too late. */
void cp_spans_note(const struct cp_spans *, struct cp_report *);
/* Notes threads that --comm keeps under an earlier name only. */
void cp_spans_renamed_note(const struct cp_spans *, struct cp_report *);

#endif
