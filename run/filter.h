/* SPDX-License-Identifier: MIT */
/*
 * run/filter.h: the filters of the command line, parsed.
 *
 * kept-samples.c applies them, filter-check.c reports those that match nothing.
 */
#ifndef CP_RUN_FILTER_H
#define CP_RUN_FILTER_H

#include "base/vec.h"
#include "run/choice.h"
#include "run/moment.h"
#include "run/options.h"

struct cp_range {
	uint32_t from, to;
};

struct cp_filter {
	bool any; /* some filter was given */
	/*
	 * Choices by number of: event, string, object, symbol, string of the
	 * path.
	 */
	struct cp_choice events, comms, dsos, symbols, cgroups;
	uint32_t events_known; /* events for which the choice has answers */
	CP_VEC(struct cp_range) pids, tids, cpus;
	CP_VEC(bool) cpus_seen; /* by CPU, filled if --cpu was given */
	bool timed;
	struct cp_moment from, to;
	bool times_known; /* from and to have been converted to CP_AT_CLOCK */
};

/* Parses the options; CP_FAIL after a diagnostic. */
int cp_filter_init(struct cp_filter *, const struct cp_run_options *,
    struct cp_diags *) CP_MUST_USE;
void cp_filter_free(struct cp_filter *);

#endif
