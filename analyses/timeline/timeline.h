/* SPDX-License-Identifier: MIT */
/*
 * analyses/timeline/timeline.h: what the files of this room share.
 *
 * This room shows the counts as heat maps (heat.c) and as lanes (lanes.c), and
 * finds where the rate of samples changes (changes.c, changepoints.c).  It may
 * use include/coldperf and analyses/common.  Begin in
 * analyses/timeline.c, which gathers.
 */
#ifndef CP_ANALYSES_TIMELINE_TIMELINE_H
#define CP_ANALYSES_TIMELINE_TIMELINE_H

#include <coldperf/plugin.h>
#include <coldperf/spans.h>

#include "analyses/common/label.h"
#include "analyses/common/time-buckets.h"

/*
 * heat.c: samples, and the time of spans, in slots of time.
 *
 * A heat map has a column of so many slots, its rows.  Unless the user says
 * what a column spans, it fits the capture: slots begin small and become
 * larger, without losing a count, as the capture turns out to be longer.
 */

/*
 * Time by slot: the ns that lie partly within a slot, and the number of spans
 * that cover it whole.
 */
struct cp_heat_slots {
	uint64_t *part;
	int32_t *whole; /* change of their number at a slot */
	uint32_t part_cap, whole_cap;
	uint32_t n;
};

struct cp_heat {
	struct cp_run *run;
	uint64_t slot; /* ns */
	uint64_t n;    /* slots until the last that holds anything */
	uint32_t rows; /* of a column */
	bool fits;     /* the slots fit the capture */
	bool too_long;
	/* Event, slot; the weight is the number of samples. */
	struct cp_tally *samples, *spare;
	struct cp_heat_slots off, waiting;
};

/* Column: ns, a multiple of rows; 0: what fits the capture. */
void cp_heat_init(
    struct cp_heat *, struct cp_run *, uint64_t column, uint32_t rows);
/* Times are ns since the first column. */
void cp_heat_sample(struct cp_heat *, uint32_t event, uint64_t at);
void cp_heat_span(
    struct cp_heat *, struct cp_heat_slots *, uint64_t from, uint64_t to);
/* Gives the slots the length that they are shown with. */
void cp_heat_finish(struct cp_heat *);

/* Origin: when the first column begins. */
void cp_heat_show_samples(
    struct cp_heat *, struct cp_report *, uint32_t event, uint64_t origin);
void cp_heat_show_slots(const struct cp_heat *, struct cp_report *,
    const struct cp_heat_slots *, uint64_t origin, const char *slug,
    const char *title, const char *value);

/*
 * series.c: what `timeline` counts over time, and the origin
 * of its times.
 */

struct series {
	double *count;
	uint32_t n;
	uint64_t from, to, width; /* ns since the origin; of a bin */
};

struct timeline {
	struct cp_run *run;
	struct cp_heat heat;
	uint64_t lanes, top;
	bool embedded;   /* in the page of another analysis: changes alone */
	uint64_t origin; /* CP_NO_TIME until the first event */
	const struct cp_spans *state; /* NULL: embedded */
	/*
	 * The threads of samples, (tid, name): an id may be used again, and
	 * then is another's.
	 */
	struct cp_index sampled;
	/* Keys: event << 32 | number in sampled or cpu;
	 * thread or cpu << 8 | kind. */
	struct cp_buckets sampled_threads, sampled_cpus;
	struct cp_buckets threads, cpus;
	/* Of finish(). */
	uint32_t event;       /* whose samples count */
	struct series steady; /* the series without any change, if n is not 0 */
	bool few;             /* samples: too few to tell of changes */
	bool no_clock;        /* times of changes have no wall clock */
	size_t hidden;        /* threads */
};

/* Returns ns since the start, 0 for times before it; limited to a century. */
uint64_t cp_timeline_since(struct timeline *, uint64_t time);

/* changes.c: when the rate of samples changes. */

void cp_timeline_changes(struct timeline *, struct cp_report *);

/* lanes.c: lanes of threads and of CPUs. */

/* Adds lanes from the scheduler's events. */
void cp_timeline_lanes(struct timeline *, struct cp_report *,
    const struct cp_buckets *, bool cpus);
/* Adds lanes from samples, for a capture without these events. */
void cp_timeline_sampled(const struct timeline *, struct cp_report *,
    const struct cp_buckets *, bool cpus);

#endif
