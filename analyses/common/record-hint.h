/* SPDX-License-Identifier: MIT */
/*
 * analyses/common/record-hint.h: tells users what to record if an analysis
 * lacks events, and checks how the events were recorded.
 */
#ifndef CP_ANALYSES_COMMON_RECORD_HINT_H
#define CP_ANALYSES_COMMON_RECORD_HINT_H

#include "analyses/common/advice.h"
#include "analyses/common/tracepoint-fields.h"

/*
 * Notes that the capture has no event for `what`, and the command that records
 * them.
 */
void cp_recipe_note(struct cp_report *, const char *what, enum cp_advice_id);
/*
 * Notes that n samples of syscalls:* were left out beside raw_syscalls:*, or,
 * if not raw, the other way round.
 */
void cp_recipe_left_out(struct cp_report *, bool raw, uint64_t n);
/* True if an event of the table was recorded with call chains. */
bool cp_probes_have_chains(const struct cp_run *, const struct cp_probe *table);

/* Two events that together tell how long something took. */
struct cp_recipe_pair {
	/* patterns as in struct cp_probe; NULL ends the table */
	const char *event[2];
};

/*
 * Notes an event that was recorded without its other half, and what records
 * both; only the first such event.
 */
void cp_recipe_unpaired(
    const struct cp_run *, const struct cp_recipe_pair *, struct cp_report *);

/* True if -F or -c N was given: the capture does not have each occurrence. */
bool cp_event_sampled(const struct cp_evsel *);
/*
 * Notes which events of the table were sampled, and how to record each
 * occurrence; returns false if none was.  Sampled events must not be paired:
 * most pairs would be wrong.
 */
bool cp_recipe_sampled(
    const struct cp_run *, const struct cp_probe *table, struct cp_report *);

/* The report is about the event of the table that has the most samples. */
void cp_recipe_title(
    const struct cp_run *, const struct cp_probe *table, struct cp_report *);

#endif
