/* SPDX-License-Identifier: MIT */
/*
 * analyses/causes/causes.h: why the program was slow, in sentences, by the
 * seconds that each explains.
 */
#ifndef CP_ANALYSES_CAUSES_CAUSES_H
#define CP_ANALYSES_CAUSES_CAUSES_H

#include "analyses/summary/brief-part.h"
#include "analyses/waits/wait-class.h"
#include "analyses/waits/watch.h"

struct cp_causes;

/*
 * watch and classes are the overview's own; the spans of the watch are heard
 * from now on.
 */
struct cp_causes *cp_causes_new(
    struct cp_run *, struct cp_waitwatch *, struct cp_waitclasses *);
/* Samples of events that measure CPU time, which the filters keep. */
void cp_causes_sample(struct cp_causes *, const struct cp_sample *);
void cp_causes_event(struct cp_causes *, const struct cp_sideband *);
/* What a capture tells. */
struct cp_causes_of {
	uint32_t event; /* measures CPU time; CP_NO_ID: none does */
	bool switches;  /* the watch has ended, and its waits are named */
	bool all_cpus;  /* else a thread on another CPU looks as if it waited */
};
/*
 * Adds at most five findings, and a table of their parts.  Returns true if
 * nothing else is to be said of single waits for a CPU: they are explained, or
 * those of the program that perf ran are not long.
 */
bool cp_causes_find(struct cp_causes *, const struct cp_causes_of *,
    struct cp_brief_lines *, struct cp_report *);
/*
 * Adds that threads of the program ran for a small part of their time, which
 * may be what they are made for: after what is hot.
 */
void cp_causes_rest(struct cp_causes *, struct cp_brief_lines *);

#endif
