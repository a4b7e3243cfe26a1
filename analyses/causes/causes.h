/* SPDX-License-Identifier: MIT */
/*
 * analyses/causes/causes.h: why the program was slow, in sentences, by the
 * seconds that each explains.
 */
#ifndef CP_ANALYSES_CAUSES_CAUSES_H
#define CP_ANALYSES_CAUSES_CAUSES_H

#include "analyses/accounts/accounts.h"

struct cp_causes;

struct cp_causes *cp_causes_new(struct cp_run *);
/* Returns what begin() must also want; 0: the capture has no switches. */
uint32_t cp_causes_wants(const struct cp_run *);
/* Samples of events that measure CPU time, which the filters keep. */
void cp_causes_sample(struct cp_causes *, const struct cp_sample *);
void cp_causes_event(struct cp_causes *, const struct cp_sideband *);
/*
 * Ends the waits and names their stacks; false: they are not known.  Adds the
 * notes that say why.
 */
bool cp_causes_waits(struct cp_causes *, struct cp_report *);
/* Their tables, if they are known. */
void cp_causes_show_waits(struct cp_causes *, struct cp_report *);
/*
 * The same of the commands that waited longest for a CPU; adds the longest of
 * all waits, unless accounts are NULL.  false: there are none.
 */
bool cp_causes_cpu_waits(
    struct cp_causes *, struct cp_accounts *, struct cp_report *);
/* The table of control groups, if samples tell the group. */
void cp_causes_groups(struct cp_causes *, struct cp_report *);
/* Takes each sample: which control group its thread is in. */
void cp_causes_group(struct cp_causes *, const struct cp_sample *);
/* What a capture tells. */
struct cp_causes_of {
	uint32_t event; /* measures CPU time; CP_NO_ID: none does */
	bool switches;  /* cp_causes_waits() was true */
	bool all_cpus;  /* else a thread on another CPU looks as if it waited */
};
/*
 * Adds what explains the time of what matters.  Returns true if nothing else is
 * to be said of single waits for a CPU: they are explained, or those of the
 * program that perf ran are not long.
 */
bool cp_causes_find(struct cp_causes *, const struct cp_causes_of *,
    struct cp_accounts *, struct cp_report *);
/*
 * Adds that threads of the program ran for a small part of their time, which
 * may be what they are made for.
 */
void cp_causes_rest(struct cp_causes *, uint32_t event);

#endif
