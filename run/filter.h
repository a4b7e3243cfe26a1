/* SPDX-License-Identifier: MIT */
/*
 * run/filter.h: the filters of the command line, read and checked.
 *
 * kept-samples.c applies them, filter-check.c tells of those that fit nothing.
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
	bool any; /* there is something to test */
	/* Numbers: event, string, object, symbol, string of the path. */
	struct cp_choice events, comms, dsos, symbols, cgroups;
	uint32_t events_known; /* how many the choice was answered for */
	CP_VEC(struct cp_range) pids, tids, cpus;
	CP_VEC(bool) cpus_seen; /* by CPU, with --cpu */
	bool timed;
	struct cp_moment from, to;
	bool times_known; /* from and to are CP_AT_CLOCK by now */
};

/* Reads the options; CP_FAIL after a diagnostic. */
int cp_filter_init(struct cp_filter *, const struct cp_run_options *,
    struct cp_diags *) CP_MUST_USE;
void cp_filter_free(struct cp_filter *);

#endif
