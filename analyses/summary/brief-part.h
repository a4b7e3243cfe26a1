/* SPDX-License-Identifier: MIT */
/*
 * analyses/summary/brief-part.h: a few lines that an analysis adds to the
 * overview if its events were recorded.
 *
 * This room has what the overview shares with the rooms that add lines to it;
 * thresholds.def says from which value on a line is worth showing.  It may use
 * coldperf/plugin.h and analyses/common.  Begin at struct cp_brief_part.
 */
#ifndef CP_ANALYSES_SUMMARY_BRIEF_PART_H
#define CP_ANALYSES_SUMMARY_BRIEF_PART_H

#include <coldperf/plugin.h>

#include "analyses/common/advice.h"
#include "analyses/common/label.h"
#include "analyses/common/tracepoint-fields.h"

/* The tables that lines go to: one of findings, one of all analyses' lines. */
struct cp_brief_lines {
	struct cp_run *run;
	struct cp_report *rep;
	struct cp_table *found, *told; /* told: NULL before the first line */
	const char *command;
	unsigned n, n_found;
};

/* Adds a line of the current analysis. */
void cp_brief_line(struct cp_brief_lines *, const char *, ...) CP_PRINTF(2, 3);
/*
 * Adds a finding, which passed a threshold.  Findings come first in the report.
 */
void cp_brief_found(struct cp_brief_lines *, const char *about, const char *,
    ...) CP_PRINTF(3, 4);

/*
 * A share and its 95 % interval, in percent; lo and hi equal the share if it is
 * exact.
 */
struct cp_percent {
	double share, lo, hi;
};
struct cp_percent cp_percent_of(struct cp_mass part, struct cp_whole);
/* Does the same for counts of things. */
struct cp_percent cp_percent_of_counts(uint64_t part, uint64_t all);

/*
 * The share as tables write it, "36.87 %", and its interval, "34.2–39.5 %": a
 * number of a sentence is found again in the table that has it.
 */
const char *cp_percent_share(struct cp_word *, struct cp_percent);
const char *cp_percent_interval(struct cp_word *, struct cp_percent);

/* Whether events of the table were recorded, each of them. */
bool cp_brief_recorded(const struct cp_run *, const struct cp_probe *);

struct cp_brief_part {
	const char *command;
	const char *what;         /* "system calls" */
	enum cp_advice_id record; /* what records them */
	bool (*recorded)(const struct cp_run *);
	bool all; /* wants samples that the filters leave out, too */
	void *(*begin)(struct cp_run *);
	void (*sample)(void *, const struct cp_sample *);
	void (*event)(void *, const struct cp_sideband *); /* or NULL */
	void (*show)(void *, struct cp_brief_lines *);
};

#endif
