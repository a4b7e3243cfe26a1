/* SPDX-License-Identifier: MIT */
/*
 * analyses/common/tracepoint-fields.h: which of the events that an analysis
 * reads a sample is of, and the fields of its payload.
 *
 * An analysis lists its events once, each with the fields that it reads; the
 * look-up of a sample is one array access.
 */
#ifndef CP_ANALYSES_COMMON_TRACEPOINT_FIELDS_H
#define CP_ANALYSES_COMMON_TRACEPOINT_FIELDS_H

#include <coldperf/plugin.h>

enum { CP_PROBE_FIELDS = 6 };

struct cp_probe {
	const char *event; /* "sched:sched_switch"; "x:y_*": any so begun */
	const char *fields[CP_PROBE_FIELDS]; /* "old|new": the first there is */
};

/* An event of the capture that is one of them. */
struct cp_probe_at {
	uint32_t probe;   /* index in the table */
	const char *rest; /* what "*" stands for, or "" */
	const struct cp_field *field[CP_PROBE_FIELDS]; /* NULL: not there */
};

struct cp_probe_look {
	const struct cp_probe_at *at; /* NULL: none of them */
	bool done;
};

struct cp_probes {
	struct cp_run *run;
	const struct cp_probe *table; /* ends with a NULL event */
	struct cp_probe_look *looks;  /* by event */
	uint32_t n;
};

void cp_probes_init(
    struct cp_probes *, struct cp_run *, const struct cp_probe *table);
/* What an event's name has in place of the "*", or ""; NULL: another event. */
const char *cp_probe_match(const char *event, const char *name);
/* NULL: the sample is of no such event. */
const struct cp_probe_at *cp_probes_of(
    struct cp_probes *, const struct cp_sample *);
/* The index of an event of the capture in the table; CP_NO_ID: in none. */
uint32_t cp_probes_find(
    const struct cp_run *, const struct cp_probe *table, uint32_t event);
/* Whether the capture has one of the events, with samples or not. */
bool cp_probes_have(const struct cp_run *, const struct cp_probe *table);

/* The number in the field; false: it is not there. */
static inline bool
cp_probe_u64(const struct cp_probe_at *p, unsigned field,
    const struct cp_sample *s, uint64_t *out)
{
	return p->field[field] != NULL && cp_field_u64(p->field[field], s, out);
}

/* The text in it as a string of the run; 0: it is not there. */
cp_string_id cp_probe_text(struct cp_probes *, const struct cp_probe_at *,
    unsigned field, const struct cp_sample *);

#endif
