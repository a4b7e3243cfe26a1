/* SPDX-License-Identifier: MIT */
/*
 * analyses/common/record-hint.h: what to record, where the events that an
 * analysis reads are missing; and how the events there are were recorded.
 */
#ifndef CP_ANALYSES_COMMON_RECORD_HINT_H
#define CP_ANALYSES_COMMON_RECORD_HINT_H

#include "analyses/common/tracepoint-fields.h"

/*
 * Says that the capture has no event of what, and the command that records
 * them: perf record with those options.
 */
void cp_recipe_note(struct cp_report *, const char *what, const char *options);
/* Whether an event of the table was recorded with call chains. */
bool cp_probes_have_chains(const struct cp_run *, const struct cp_probe *table);

/* Two events that tell how long something took. */
struct cp_recipe_pair {
	const char *event[2]; /* as in struct cp_probe; NULL: no more pairs */
};

/*
 * Says that an event was recorded without its other half, and what records
 * both; of the first such event.
 */
void cp_recipe_unpaired(
    const struct cp_run *, const struct cp_recipe_pair *, struct cp_report *);

/* Whether -F or -c N was asked for: not each one is in the capture. */
bool cp_event_sampled(const struct cp_evsel *);
/*
 * Says which events of the table were sampled, and how to record each; false:
 * none.  Nothing may be paired of them: it would mostly be wrong.
 */
bool cp_recipe_sampled(
    const struct cp_run *, const struct cp_probe *table, struct cp_report *);

/* The report is about the event of the table that has the most samples. */
void cp_recipe_title(
    const struct cp_run *, const struct cp_probe *table, struct cp_report *);

#endif
