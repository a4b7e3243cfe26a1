/* SPDX-License-Identifier: MIT */
/*
 * analyses/annotate/shares.h: what was counted of functions and of the
 * addresses in them, and its cells.
 *
 * This room makes the rows of `annotate`: a function's lines (lines.c), its
 * instructions (listing.c), the texts of both (sources.c).  It may use
 * coldperf/plugin.h and analyses/common.  Begin in analyses/annotate.c, which
 * counts and chooses the functions.
 */
#ifndef CP_ANALYSES_ANNOTATE_SHARES_H
#define CP_ANALYSES_ANNOTATE_SHARES_H

#include <coldperf/plugin.h>

#include "analyses/common/sample-groups.h"

/* The samples of one event at one address. */
struct cp_hit {
	const struct cp_symbol *symbol;
	struct cp_mass mass;
	uint64_t addr, samples;
	uint32_t event;
};

/* One function of an event: the hits in it, by address. */
struct cp_hot {
	const struct cp_symbol *symbol;
	const struct cp_hit *hits;
	size_t n;
	struct cp_mass mass;
	uint64_t samples;
};

/* A source file that was shown. */
struct cp_shown_file {
	const char *file; /* the spot's pointer */
	struct cp_listing listing;
	struct cp_shown_file *next;
};

struct cp_annotate {
	struct cp_run *run;
	const char *function; /* a name or pattern; NULL: all */
	const struct cp_pattern *pattern;
	uint64_t top;
	bool by_line, sources, instructions;
	unsigned flags; /* of cp_run_code() */
	struct cp_groups groups;
	struct cp_tally *tally; /* group, frame */
	struct cp_shown_file *files, **last_file;
	bool kernel; /* instructions of a kernel were shown */
};

/* The weights of a row: of all of the event, and of the function. */
struct cp_part {
	struct cp_mass mass;
	uint64_t samples;
};
void cp_part_add(struct cp_part *, const struct cp_hit *);
void cp_annotate_shares(const struct cp_annotate *, struct cp_table *,
    const struct cp_hot *, const struct cp_part *);
/* Addresses of the hits, for cp_run_code(). */
struct cp_code cp_annotate_code(struct cp_annotate *, const struct cp_hot *);

#endif
