/* SPDX-License-Identifier: MIT */
/*
 * analyses/common/options.h: options that several analyses share (--by,
 * durations) and the columns that belong to them.
 */
#ifndef CP_ANALYSES_COMMON_OPTIONS_H
#define CP_ANALYSES_COMMON_OPTIONS_H

#include <coldperf/plugin.h>

#include "analyses/common/sample-groups.h"

/* Keys of --by that are not of groups. */
enum { CP_BY_SYMBOL = CP_GROUP_KEYS, CP_BY_DSO, CP_BY_LINE, CP_BY_KEYS };

struct cp_by {
	unsigned key[CP_BY_KEYS]; /* in the order given */
	unsigned n;
	unsigned groups; /* those of them that group samples, as bits */
	bool symbol, dso, line;
	bool mixed;     /* by event: all events in one table */
	uint64_t width; /* of time:WIDTH */
};

/* Value of --by; CP_FAIL and a diagnostic if it makes no sense. */
int cp_by_parse(struct cp_by *, struct cp_run *) CP_MUST_USE;
/* The columns of a key, and a group's cell under one of groups. */
void cp_by_columns(struct cp_table *, unsigned key);
void cp_by_cell(
    const struct cp_groups *, struct cp_table *, unsigned key, uint32_t group);

/* "100ms" as ns; 0: not a duration. */
uint64_t cp_parse_duration(const char *);

/*
 * A table titled with the event, its samples and its count; CP_NO_ID: of all
 * events.
 */
struct cp_table *cp_event_table(const struct cp_groups *, struct cp_report *,
    const char *slug, uint32_t event);

#endif
