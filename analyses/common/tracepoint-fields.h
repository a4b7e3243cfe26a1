/* SPDX-License-Identifier: MIT */
/*
 * analyses/common/tracepoint-fields.h: finds which of an analysis' events a
 * sample is of, and the fields of its payload.
 *
 * An analysis lists its events in a table, each with the fields that it reads;
 * the look-up of a sample is one array access.
 */
#ifndef CP_ANALYSES_COMMON_TRACEPOINT_FIELDS_H
#define CP_ANALYSES_COMMON_TRACEPOINT_FIELDS_H

#include <coldperf/plugin.h>

enum { CP_PROBE_FIELDS = 6 };

struct cp_probe {
	/* "sched:sched_switch"; "x:y_*" matches any suffix */
	const char *event;
	/* "old|new" means the first that exists */
	const char *fields[CP_PROBE_FIELDS];
};

/* An event of the capture that is in the table. */
struct cp_probe_at {
	uint32_t probe;   /* index in the table */
	const char *rest; /* what "*" stands for, or "" */
	bool twice;       /* several events record the tracepoint */
	/* NULL: the event lacks the field */
	const struct cp_field *field[CP_PROBE_FIELDS];
};

struct cp_probe_look {
	const struct cp_probe_at *at; /* NULL: not in the table */
	bool done;
};

struct cp_probes {
	struct cp_run *run;
	const struct cp_probe *table; /* ends with a NULL event */
	struct cp_probe_look *looks;  /* by event */
	uint32_t n;
	struct cp_repeats *repeats;
};

void cp_probes_init(
    struct cp_probes *, struct cp_run *, const struct cp_probe *table);
/*
 * Returns the part of an event's name that "*" stands for, or ""; NULL if it
 * does not match.
 */
const char *cp_probe_match(const char *event, const char *name);
/*
 * Returns NULL if the sample's event is not in the table, or if the filters
 * leave it out and keep another one of its tracepoint.
 */
const struct cp_probe_at *cp_probes_of(
    struct cp_probes *, const struct cp_sample *);
/*
 * Returns the index in the table of an event of the capture; CP_NO_ID: in none.
 */
uint32_t cp_probes_find(
    const struct cp_run *, const struct cp_probe *table, uint32_t event);
/* True if the filters keep one of the capture's events from..to of the table.
 */
bool cp_probes_keep(
    struct cp_run *, const struct cp_probe *table, uint32_t from, uint32_t to);
/* True if the filters keep both of these events. */
bool cp_probes_keep_both(struct cp_run *, const struct cp_probe *table,
    uint32_t begin, uint32_t end);
/* True if the capture has one of the events, with samples or not. */
bool cp_probes_have(const struct cp_run *, const struct cp_probe *table);

/* See cp_sample_repeats(); looks only where that can be. */
static inline bool
cp_probe_repeats(struct cp_probes *p, const struct cp_probe_at *at,
    const struct cp_sample *s)
{
	return at->twice &&
	       cp_sample_repeats(p->run, &p->repeats, at->probe, s);
}

/* Reads the number in a field; false: the sample lacks it. */
static inline bool
cp_probe_u64(const struct cp_probe_at *p, unsigned field,
    const struct cp_sample *s, uint64_t *out)
{
	return p->field[field] != NULL && cp_field_u64(p->field[field], s, out);
}

/* Reads the text in a field as a string of the run; 0: the sample lacks it. */
cp_string_id cp_probe_text(struct cp_probes *, const struct cp_probe_at *,
    unsigned field, const struct cp_sample *);

#endif
