/* SPDX-License-Identifier: MIT */
/*
 * analyses/common/sample-groups.h: samples grouped by everything but code:
 * event, command, process, thread, CPU, cgroup, slice of time, place of the
 * CPU.
 *
 * A group is a dense number for a tuple of the chosen keys, in the order of
 * their first sample.
 */
#ifndef CP_ANALYSES_COMMON_SAMPLE_GROUPS_H
#define CP_ANALYSES_COMMON_SAMPLE_GROUPS_H

#include <coldperf/plugin.h>
#include <coldperf/spans.h>

#include "analyses/common/field-keys.h"
#include "analyses/common/label.h"

enum cp_group_key {
	CP_BY_EVENT,
	CP_BY_COMM,
	CP_BY_PID,
	CP_BY_TID,
	CP_BY_CPU,
	CP_BY_CGROUP,
	CP_BY_TIME,
	CP_BY_LEVEL,
	CP_BY_ADDR,
	CP_BY_PARALLELISM,
	CP_BY_SOCKET,
	CP_BY_CORE,
	CP_BY_NODE,
	CP_BY_FIELD, /* and the next ones */
	CP_GROUP_KEYS = CP_BY_FIELD + CP_FIELD_KEYS
};

enum { CP_GROUPS_RECENT = 64, CP_GROUPS_CPUS = 8192 };

struct cp_group {
	uint64_t v[CP_GROUP_KEYS]; /* 0 where not asked for */
	uint32_t first_pid;        /* of its first sample */
};

struct cp_event_sum {
	uint64_t samples, weight;
	double weight_sq;
};

struct cp_groups {
	struct cp_run *run;
	unsigned keys;      /* bits 1 << enum cp_group_key */
	bool few;           /* event and command are the only keys */
	uint32_t comm_mask; /* all ones if the command is a key */
	uint64_t width;     /* length of a slice of time, ns */
	uint64_t base;      /* time of the first sample */
	struct cp_field_key *field[CP_FIELD_KEYS];
	struct cp_group *all;
	uint32_t n, cap;
	uint32_t *nodes; /* by CPU: NUMA node + 1; NULL: not read */
	uint32_t *alias; /* the group that stands for each; NULL: itself */
	uint32_t recent[CP_GROUPS_RECENT]; /* groups, by a part of the keys */
	struct cp_slots slots;
	struct cp_event_sum *events; /* by index */
	uint32_t n_events;
};

uint32_t cp_group_hash(const uint64_t v[static CP_GROUP_KEYS]);

/* Begins grouping; CP_BY_EVENT is always among the keys. */
void cp_groups_init(
    struct cp_groups *, struct cp_run *, unsigned keys, uint64_t width);
/* Returns the sample's group and counts the sample for its event. */
uint32_t cp_groups_add(struct cp_groups *, const struct cp_sample *);
/*
 * Does the same without counting, for callers that tally (group, ...) with the
 * sample's weight anyway and call cp_groups_count() at the end.
 */
uint32_t cp_groups_of(struct cp_groups *, const struct cp_sample *);
void cp_groups_count(struct cp_groups *, const struct cp_tally *);
/* Counts the rows of a tally whose a is an event, as in cp_run_leaves(). */
void cp_groups_count_events(struct cp_groups *, const struct cp_tally *);

/* The sums of one event. */
struct cp_total {
	uint64_t samples, weight;
	double weight_sq;
};
struct cp_total cp_groups_total(const struct cp_groups *, uint32_t event);
struct cp_whole cp_groups_whole(const struct cp_groups *, uint32_t event);
/*
 * Returns the first event with samples in the order of cp_event_before(), or
 * CP_NO_ID.
 */
uint32_t cp_groups_main_event(const struct cp_groups *);
/* Notes which other events have samples. */
void cp_groups_note_others(
    const struct cp_groups *, struct cp_report *, uint32_t event);

/*
 * Rows of a tally whose a is a group, sorted by it: rows of group g are
 * order[first[g]] ... order[first[g + 1] - 1].  Groups for which another
 * stands have none.
 */
struct cp_grouped {
	const struct cp_tally_row *rows;
	size_t n;
	size_t *first;
	uint32_t *order;
};
struct cp_grouped cp_groups_sort(
    const struct cp_groups *, const struct cp_tally *);
/*
 * Returns the groups sorted by event, the main event's first; samples must have
 * been counted.
 */
const uint32_t *cp_groups_by_event(const struct cp_groups *);

#endif
