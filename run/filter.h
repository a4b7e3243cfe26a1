/* SPDX-License-Identifier: MIT */
/*
 * run/filter.h: the filters of the command line, read and checked.
 *
 * kept-samples.c applies them.
 */
#ifndef CP_RUN_FILTER_H
#define CP_RUN_FILTER_H

#include "base/vec.h"
#include "run/options.h"

/* A moment on the command line. */
struct cp_moment {
	enum { CP_AT_NONE, CP_AT_CLOCK, CP_AT_START, CP_AT_SHARE } kind;
	uint64_t ns;
	double share;
};

struct cp_range {
	uint32_t from, to;
};

struct cp_filter {
	bool any; /* there is something to test */
	cp_words events, comms, dsos, symbols, cgroups;
	CP_VEC(struct cp_range) pids, tids, cpus;
	struct cp_moment from, to;
	bool from_wall, to_wall;    /* given as wall clock */
	bool times_known;           /* from and to are CP_AT_CLOCK by now */
	CP_VEC(uint8_t) dso_passes; /* by dso id: 0 unknown, 1 no, 2 yes */
};

/* Reads the options; CP_FAIL after a diagnostic. */
int cp_filter_init(struct cp_filter *, const struct cp_run_options *,
    struct cp_diags *) CP_MUST_USE;
void cp_filter_free(struct cp_filter *);

#endif
