/* SPDX-License-Identifier: MIT */
/*
 * analyses/precision/precision.h: how sure shares are, measured in the capture.
 *
 * This room keeps samples in their order, up to a limit (seen.h), and measures
 * on them how much a row's share varies (dispersion.h); rows.h does so for
 * functions; apart.h computes how many samples tell two shares apart.  It may
 * use analyses/common.  Begin with this file:
 *
 *	begin:  cp_precision_init(&p, run);
 *	sample: cp_precision_add(&p, s, group);
 *	finish: view = cp_precision_view(&p, event);
 *		whole = cp_precision_whole(view, whole, has, ctx); for each row
 *		cp_precision_note(&p, rep);
 */
#ifndef CP_ANALYSES_PRECISION_PRECISION_H
#define CP_ANALYSES_PRECISION_PRECISION_H

#include <coldperf/plugin.h>

#include "analyses/precision/dispersion.h"
#include "analyses/precision/seen.h"

/* For the table of options. */
#define CP_PRECISION_OPTION                                                    \
	{                                                                      \
		"interval", "OF", "program",                                   \
		    "what the 95 % intervals are for: program (what other "    \
		    "runs under "                                              \
		    "the same conditions would show), run (this one); or "     \
		    "none: text has no intervals"                              \
	}

/* The samples of an event, ready to be measured. */
struct cp_view {
	struct cp_precision *of;
	struct cp_seen_log log;
	struct cp_series series; /* n is 0 before the first look */
	bool *has;               /* by sample: it belongs to the row */
};

struct cp_precision {
	struct cp_run *run;
	bool this_run;         /* intervals are for this run, not the program */
	bool none;             /* text has no intervals */
	bool measured;         /* some interval uses a measured dispersion */
	const uint32_t *alias; /* the group that stands for each, or NULL */
	struct cp_view **view; /* by event; NULL: no sample */
	uint32_t n_views;
};

/* CP_FAIL and a diagnostic if --interval makes no sense. */
int cp_precision_init(struct cp_precision *, struct cp_run *) CP_MUST_USE;
void cp_precision_add(
    struct cp_precision *, const struct cp_sample *, uint32_t group);
/* Returns the group that stands for the sample's group. */
uint32_t cp_precision_group(
    const struct cp_precision *, const struct cp_seen *);
/*
 * Returns the samples of an event, which live as long as the run; NULL: the
 * event has none.
 */
struct cp_view *cp_precision_view(struct cp_precision *, uint32_t event);
/* Returns the whole with the dispersion of the row that has() selects. */
struct cp_whole cp_precision_whole(struct cp_view *, struct cp_whole,
    bool (*has)(const void *ctx, const struct cp_seen *), const void *ctx);
/* Does the same for the row whose samples are marked in view->has[]. */
struct cp_whole cp_precision_marked(struct cp_view *, struct cp_whole);
/* Says which question the intervals answer. */
void cp_precision_note(const struct cp_precision *, struct cp_report *);

#endif
