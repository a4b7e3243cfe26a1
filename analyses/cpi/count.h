/* SPDX-License-Identifier: MIT */
/*
 * analyses/cpi/count.h: what is counted for `cpi`, sample by sample.
 *
 * This room makes ratios of hardware counters: events.c chooses the events,
 * count.c counts, rows.c, tables.c, paths.c and notes.c show, blocks.c makes
 * counts of the cycles between two branches.  It may use coldperf/plugin.h and
 * analyses/common.  Begin in count.c.
 */
#ifndef CP_ANALYSES_CPI_COUNT_H
#define CP_ANALYSES_CPI_COUNT_H

#include "analyses/common/code-groups.h"
#include "analyses/common/ratio.h"
#include "analyses/common/sample-groups.h"
#include "analyses/cpi/blocks.h"
#include "analyses/cpi/events.h"
#include "analyses/cpi/rows.h"

/* The analysis itself. */
struct cpi {
	struct cp_run *run;
	uint64_t top;
	bool brief; /* part of the overview */
	struct cp_cpi_events events;
	struct cp_groups threads;   /* their events are slots */
	struct cp_tally *by_thread; /* group of threads, 0 */
	struct cp_tally *by_cpu;    /* slot, cpu */
	/*
	 * comm << 8 | slot, stack; in brief slot, innermost frame: there are
	 * far fewer
	 */
	struct cp_tally *by_stack;
	struct cp_cpi_blocks blocks;

	/* The record whose counts are being read. */
	struct cp_sample at;
	uint64_t value[CP_ROLES];
	bool has[CP_ROLES];
	/* both events of the ratio are used, and in the same places */
	bool tells[CP_RATIOS];
	bool grouped;   /* some of the events bring readings */
	uint64_t joint; /* records that count several events */
	double enabled, running;

	/* Used in finish() only. */
	double dispersion; /* of the shares of cycles */
	bool readings;     /* the counts are those of joint records */
	struct cp_counts whole;
	struct cp_entities entities;
	struct cp_grouped by_group;
	const struct cp_tally_row *stacks;
	size_t n_stacks;
};

void cp_cpi_init(struct cpi *, struct cp_run *);
void cp_cpi_sample(struct cpi *, const struct cp_sample *);
/* Returns the innermost frame of a row of by_stack. */
static inline cp_frame_id
cp_cpi_frame(const struct cpi *c, const struct cp_tally_row *row)
{
	return c->brief ? (cp_frame_id)row->b
			: cp_stack_frame(c->run, (cp_stack_id)row->b);
}
/* Ends counting; false: cycles and instructions were not both seen. */
bool cp_cpi_end(struct cpi *);

#endif
