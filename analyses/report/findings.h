/* SPDX-License-Identifier: MIT */
/*
 * analyses/report/findings.h: the values of the overview that passed a
 * threshold.
 */
#ifndef CP_ANALYSES_REPORT_FINDINGS_H
#define CP_ANALYSES_REPORT_FINDINGS_H

#include "analyses/summary/brief-part.h"
#include "analyses/common/losses.h"
#include "analyses/report/symbols.h"
#include "analyses/summary/chain-ends.h"

/* The table that findings go to, before all others. */
struct cp_brief_lines cp_findings_new(struct cp_run *, struct cp_report *);
/*
 * Finds flaws of the capture itself.  They come first, because they limit how
 * far all other findings can be trusted.
 */
void cp_findings_of_input(struct cp_run *, struct cp_brief_lines *);
/* Of the event shown: one thread that does it all, the recorder's part. */
void cp_findings_of_event(struct cp_overview *, struct cp_brief_lines *);
/* What was lost; what of the event shown has no name, or no callers. */
void cp_findings_of_quality(struct cp_run *, const char *event,
    const struct cp_pauses *, const struct cp_named *,
    const struct cp_chain_ends *, struct cp_brief_lines *);
/* Do so many samples lack names that the report says how to get them? */
bool cp_findings_lack_names(const struct cp_named *);

#endif
