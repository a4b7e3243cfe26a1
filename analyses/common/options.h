/* SPDX-License-Identifier: MIT */
/*
 * analyses/common/options.h: options that several analyses share (--by,
 * durations) and the columns that belong to them.
 */
#ifndef CP_ANALYSES_COMMON_OPTIONS_H
#define CP_ANALYSES_COMMON_OPTIONS_H

#include <coldperf/plugin.h>

#include "analyses/common/sample-groups.h"

/* Keys of --by beyond those of groups. */
enum {
	CP_BY_SYMBOL = CP_GROUP_KEYS,
	CP_BY_DSO,
	CP_BY_LINE,
	CP_BY_SRCFILE, /* of LINE, SRCFILE and FAMILY one */
	CP_BY_FAMILY,
	CP_BY_KEYS
};

struct cp_by {
	unsigned key[CP_BY_KEYS]; /* in the order they were given */
	unsigned n;
	struct cp_field_key *field[CP_FIELD_KEYS]; /* of the keys field:NAME */
	unsigned fields;
	unsigned groups; /* bits of those keys that group samples */
	bool symbol, dso, line, srcfile, family;
	bool mixed;     /* no event key: one table for all events */
	uint64_t width; /* the WIDTH of time:WIDTH */
};

/* Reads --by; CP_FAIL after a diagnostic. */
int cp_by_parse(struct cp_by *, struct cp_run *) CP_MUST_USE;
/*
 * Adds the columns of a key; NULL: it is no field.  Returns a group's
 * cell for a key of groups.
 */
void cp_by_columns(const struct cp_by *, struct cp_table *, unsigned key);
struct cp_cell cp_by_cell(
    const struct cp_groups *, unsigned key, uint32_t group);

/*
 * Checks a number that has another meaning, or none, outside of these.  False
 * after a diagnostic.
 */
bool cp_option_within(
    struct cp_run *, const char *option, double v, double least, double most);
/* Converts "100ms" to ns; 0: not a duration. */
uint64_t cp_parse_duration(const char *);

/*
 * Starts a table titled with the event, its samples and its count; CP_NO_ID:
 * all events.
 */
struct cp_table *cp_event_table(const struct cp_groups *, struct cp_report *,
    const char *slug, uint32_t event);

#endif
