/* SPDX-License-Identifier: MIT */
/*
 * analyses/report/symbols.h: the heaviest symbols of the overview.
 *
 * This room has what only the overview shows: symbols with their paths,
 * callees.c, sample-load.c, unnamed-objects.c.  It may use coldperf/plugin.h,
 * analyses/common and analyses/precision.  Begin in analyses/report.c, which
 * alone also includes brief.h of other rooms.
 */
#ifndef CP_ANALYSES_REPORT_SYMBOLS_H
#define CP_ANALYSES_REPORT_SYMBOLS_H

#include "analyses/common/call-sums.h"
#include "analyses/common/parallel.h"
#include "analyses/common/sample-groups.h"
#include "analyses/precision/rows.h"
#include "analyses/report/pauses.h"
#include "analyses/report/sample-load.h"

struct cp_brief_parts;
struct cp_busy;
struct cp_causes;
struct cp_modes;
struct cp_offcpu_brief;
struct cp_sched_brief;
struct cpi;
struct cp_overview_symbol;

struct cp_overview {
	struct cp_run *run;
	uint64_t top;
	struct cp_groups events, threads;
	struct cp_tally *stacks;    /* group of events, stack */
	struct cp_tally *by_thread; /* group of threads, 0 */
	struct cp_tally *by_cpu;    /* event, cpu */
	struct cp_tally *left_out;  /* the same of what filters leave out */
	struct cp_sample_load load;
	struct cp_offcpu_brief *offcpu;
	bool waits;     /* its waits are known */
	bool explained; /* what waited for a CPU */
	struct cp_causes *causes;
	struct cp_sched_brief *sched;
	struct cp_brief_parts *parts;
	struct cp_busy *busy;
	struct cp_modes *modes;
	struct cpi *cpi;

	/* Set in finish(), for the event shown. */
	uint32_t event;
	struct cp_whole all;
	struct cp_precision precision;
	struct cp_rows_precision sure;
	struct cp_paths paths;
	struct cp_entities entities;
	struct cp_sums sums;
	struct cp_overview_symbol *symbols; /* heaviest first */
	uint32_t n_symbols, n_shown;
	struct cp_parallel parallel;
	struct cp_pauses pauses;
	uint64_t *idle; /* by entity: of CPUs without work; NULL: not known */
};

/*
 * Returns the symbol of that rank by self weight; rank < n_symbols, 0 is the
 * heaviest.
 */
const struct cp_entity *cp_overview_heaviest(struct cp_overview *,
    uint32_t rank, struct cp_mass *self, struct cp_whole *);
/* Adds up the event shown; call it before the other functions. */
void cp_overview_sum(struct cp_overview *);
/* Notes whether the order of the two heaviest functions is certain. */
void cp_overview_note_precision(struct cp_overview *, struct cp_report *);
void cp_overview_symbols(struct cp_overview *, struct cp_report *);

#endif
