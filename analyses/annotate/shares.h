/* SPDX-License-Identifier: MIT */
/*
 * analyses/annotate/shares.h: hits of functions and of the addresses in them,
 * and the cells that show them.
 *
 * This room makes the rows of `annotate`: the hottest lines of all functions
 * (hottest.c), a function's lines (lines.c), its instructions (listing.c;
 * near.c leaves out what is far from samples), the texts of both (sources.c);
 * and chooses the functions whose code a page has (heavy.c).
 * It may use coldperf/plugin.h and analyses/common.  Begin in
 * analyses/annotate.c, which counts and chooses the functions.
 */
#ifndef CP_ANALYSES_ANNOTATE_SHARES_H
#define CP_ANALYSES_ANNOTATE_SHARES_H

#include <coldperf/plugin.h>

#include "analyses/common/event.h"
#include "analyses/common/sample-groups.h"

/* The samples of one event at one address. */
struct cp_hit {
	const struct cp_symbol *symbol;
	struct cp_mass mass;
	uint64_t addr, samples;
	uint32_t event;
	bool wanted; /* by the function's name, or one's that is inlined */
	bool itself; /* the innermost function at the address is wanted */
	/* that is wanted, where the function is not; NULL: none */
	const struct cp_symbol *inlined;
};

/* One function of an event: the hits in it, by address. */
struct cp_hot {
	const struct cp_symbol *symbol;
	const struct cp_symbol *inlined; /* its hits are in the code of it */
	const struct cp_hit *hits;
	size_t n;
	struct cp_mass mass;
	uint64_t samples;
	struct cp_code code; /* of functions that are shown */
};

/* A source file that was shown. */
struct cp_shown_file {
	const char *file; /* compared by pointer */
	struct cp_listing listing;
	struct cp_shown_file *next;
};

struct cp_annotate {
	struct cp_run *run;
	const char *function; /* a name or pattern; NULL: all functions */
	const struct cp_pattern *pattern;
	uint64_t top, context; /* context: instructions around hits */
	bool whole;            /* all instructions */
	bool by_line, sources, instructions;
	unsigned flags; /* flags for cp_run_code() */
	struct cp_groups groups;
	const struct cp_tally *leaves; /* event, frame */
	struct cp_shown_file *files, **last_file;
	struct cp_event_shares unnamed;
	double *dispersion; /* of shares, by event */
	bool kernel;        /* some code shown is a kernel's */
	/*
	 * Code for the page of another analysis: of functions with more than
	 * this share of their event.
	 */
	bool embedded;
	double share;
};

/* The weight of a row: shown as a share of the event and of the function. */
struct cp_part {
	struct cp_mass mass;
	uint64_t samples;
};
void cp_part_add(struct cp_part *, const struct cp_hit *);
void cp_annotate_shares(const struct cp_annotate *, struct cp_table *,
    const struct cp_hot *, const struct cp_part *);
/* Lists the addresses of the hits for cp_run_code(). */
struct cp_code cp_annotate_code(struct cp_annotate *, const struct cp_hot *);

#endif
