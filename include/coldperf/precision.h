/* SPDX-License-Identifier: MIT */
/*
 * coldperf/precision.h: how sure a share is, measured in the capture.
 *
 * Samples that follow each other are alike, so that a share varies more than
 * that of independent samples, or less.  Samples are kept in their order, up to
 * a limit, and how much a row's share varies is measured on them:
 *
 *	begin:  cp_precision_init(&p, run);
 *	sample: cp_precision_add(&p, s, group);
 *	finish: view = cp_precision_view(&p, event);
 *		whole = cp_precision_whole(view, whole, has, ctx); for each row
 *		cp_precision_note(&p, rep);
 *
 * A share is one of the event: for shares of a thread, add a copy of the sample
 * with a number of your own for an event, and ask for the view of that number.
 * has() is called for each sample kept of the event, once for each row.
 *hotspots also moderates what each function shows by what all of them show, so
 *that its intervals for other runs differ a little from these.
 */
#ifndef COLDPERF_PRECISION_H
#define COLDPERF_PRECISION_H

#include <coldperf/tally.h>

#ifdef __cplusplus
extern "C" {
#endif

/* For the table of options. */
#define CP_PRECISION_OPTION                                                    \
	{                                                                      \
		"interval", "OF", "program",                                   \
		    "what the 95 % intervals are for: program (what other "    \
		    "runs under "                                              \
		    "the same conditions would show), run (this one); or "     \
		    "none: text has no intervals"                              \
	}

/* A sample that was kept. */
struct cp_seen {
	uint64_t time;
	cp_stack_id stack;
	uint32_t group; /* the caller's */
	/* the CPU or thread, which is sampled at regular times */
	uint32_t lane;
};
/* The samples of an event, ready to be measured. */
struct cp_view;

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
CP_API int cp_precision_init(
    struct cp_precision *, struct cp_run *) CP_MUST_USE;
CP_API void cp_precision_add(
    struct cp_precision *, const struct cp_sample *, uint32_t group);
/* Returns the group that stands for the sample's group. */
CP_API uint32_t cp_precision_group(
    const struct cp_precision *, const struct cp_seen *);
/*
 * Returns the samples of an event, which live as long as the run; NULL: the
 * event has none.
 */
CP_API struct cp_view *cp_precision_view(struct cp_precision *, uint32_t event);
/* Returns the whole with the dispersion of the row that has() selects. */
CP_API struct cp_whole cp_precision_whole(struct cp_view *, struct cp_whole,
    bool (*has)(const void *ctx, const struct cp_seen *), const void *ctx);
/* Says which question the intervals answer. */
CP_API void cp_precision_note(const struct cp_precision *, struct cp_report *);

#ifdef __cplusplus
}
#endif

#endif
