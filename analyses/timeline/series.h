/* SPDX-License-Identifier: MIT */
/*
 * analyses/timeline/series.h: what `timeline` counts over time, and the origin
 * of its times.
 *
 * This room shows the counts as lanes (lanes.c) and finds where the rate of
 * samples changes (changes.c, changepoints.c).  It may use coldperf/plugin.h,
 * analyses/tasks and analyses/common.  Begin in analyses/timeline.c, which
 * gathers and shows the heat maps.
 */
#ifndef CP_ANALYSES_TIMELINE_SERIES_H
#define CP_ANALYSES_TIMELINE_SERIES_H

#include "analyses/common/label.h"
#include "analyses/common/time-buckets.h"
#include "analyses/tasks/events.h"
#include "analyses/tasks/spans.h"

/*
 * Time by slot: the ns that lie partly within a slot, and the number of spans
 * that cover it whole.
 */
struct slots {
	uint64_t *part;
	int32_t *whole; /* change of their number at a slot */
	uint32_t part_cap, whole_cap;
	uint32_t n;
};

struct series {
	double *count;
	uint32_t n;
	uint64_t from, to, width; /* ns since the origin; of a bin */
};

struct timeline {
	struct cp_run *run;
	uint64_t column, slot; /* ns */
	uint32_t rows;
	uint64_t lanes, top;
	uint64_t origin;   /* CP_NO_TIME until the first event */
	uint64_t from, to; /* of --time */
	struct cp_sched_decoder decoder;
	struct cp_taskstate state;
	struct cp_tally *samples; /* event, slot */
	struct slots off, waiting;
	bool too_long;
	/* Keys: event << 32 | tid or cpu; thread or cpu << 8 | kind. */
	struct cp_buckets sampled_threads, sampled_cpus;
	struct cp_buckets threads, cpus;
	/* Of finish(). */
	uint32_t event;       /* whose samples count */
	struct series steady; /* the series without any change, if n is not 0 */
	bool no_clock;        /* times of changes have no wall clock */
	size_t hidden;        /* threads */
};

/* Returns ns since the start, 0 for times before it; limited to a century. */
uint64_t cp_timeline_since(struct timeline *, uint64_t time);

#endif
