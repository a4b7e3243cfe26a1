/* SPDX-License-Identifier: MIT */
/*
 * analyses/timeline/series.h: what `timeline` counts over time, and the origin
 * of its times.
 *
 * This room shows the counts as heat maps (heat.h) and as lanes (lanes.c), and
 * finds where the rate of samples changes (changes.c, changepoints.c).  It may
 * use include/coldperf and analyses/common.  Begin in
 * analyses/timeline.c, which gathers.
 */
#ifndef CP_ANALYSES_TIMELINE_SERIES_H
#define CP_ANALYSES_TIMELINE_SERIES_H

#include <coldperf/spans.h>

#include "analyses/common/dense-ids.h"
#include "analyses/common/label.h"
#include "analyses/common/time-buckets.h"
#include "analyses/timeline/heat.h"

struct series {
	double *count;
	uint32_t n;
	uint64_t from, to, width; /* ns since the origin; of a bin */
};

struct timeline {
	struct cp_run *run;
	struct cp_heat heat;
	uint64_t lanes, top;
	bool embedded;     /* in the page of another analysis: changes alone */
	uint64_t origin;   /* CP_NO_TIME until the first event */
	uint64_t from, to; /* of --time */
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

#endif
