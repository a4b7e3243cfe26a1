/* SPDX-License-Identifier: MIT */
/*
 * analyses/cpi/cpi.h: what the files of this room share.
 *
 * This room makes ratios of hardware counters: events.c chooses the events,
 * count.c counts, rows.c, tables.c, paths.c and notes.c show, blocks.c makes
 * counts of the cycles between two branches.  It may use coldperf/plugin.h and
 * analyses/common.  Begin in count.c.
 */
#ifndef CP_ANALYSES_CPI_CPI_H
#define CP_ANALYSES_CPI_CPI_H

#include <coldperf/plugin.h>

#include "analyses/common/code-groups.h"
#include "analyses/common/ratio.h"
#include "analyses/common/sample-groups.h"

/* blocks.c: cycles per instruction from branch stacks alone. */

/* Runs of instructions between two branches. */
struct cp_cpi_blocks {
	struct cp_run *run;
	struct cp_tally *blocks; /* frame of the first and last instruction */
	uint64_t samples, entries;
	uint32_t reading; /* the record counted last */
};
void cp_cpi_blocks_sample(struct cp_cpi_blocks *, const struct cp_sample *);
/*
 * Shows the tables if the capture has nothing else; false: it has no blocks
 * either.
 */
bool cp_cpi_blocks_show(
    struct cp_cpi_blocks *, struct cp_report *, uint64_t top);

/* events.c: the events of a capture that make a ratio. */

struct cp_cpi_event {
	struct cp_counted what;
	bool used;
	bool read;      /* its samples bring readings */
	bool uncounted; /* its samples have no period */
	bool left_out;  /* the filters keep a pair without it */
};

/* The events of the capture that are used. */
struct cp_cpi_events {
	struct cp_cpi_event *all; /* by index */
	uint32_t n, cap;
};

/* Chooses among the events known so far. */
void cp_cpi_choose(struct cp_run *, struct cp_cpi_events *);
/* True if what is used of either role was counted where the other one was. */
bool cp_cpi_in_same_places(
    const struct cp_cpi_events *, enum cp_role, enum cp_role);
/* Returns the names of the used events of a role, joined by " + ". */
const char *cp_cpi_names(
    struct cp_run *, const struct cp_cpi_events *, enum cp_role);
/* Notes which events were left out, and why. */
void cp_cpi_note_events(
    struct cp_run *, const struct cp_cpi_events *, struct cp_report *);

/* rows.c: the counts of the rows of a table of ratios. */

/* A slot is a role, or CP_ROLES + a ratio for the counts of readings. */
enum { CP_CPI_SLOTS = CP_ROLES + CP_RATIOS };

/* What a row counted in a slot. */
struct cp_cpi_cell {
	struct cp_mass mass;
	uint64_t samples; /* or readings */
};

/*
 * Counts by the number of a row, which the caller's index gives.  There may be
 * a million rows, and few of the slots are used.
 */
struct cp_cpi_rows {
	struct cp_run *run;
	struct cp_cpi_cell *cells; /* by row * slots + at[slot] */
	uint32_t n;                /* rows */
	uint32_t cap;              /* cells */
	uint32_t slots;
	uint8_t at[CP_CPI_SLOTS]; /* UINT8_MAX: not used */
};

/* The slots of the rows are those that the whole capture has counts in. */
struct cp_cpi_rows cp_cpi_rows_new(
    struct cp_run *, const struct cp_counts *whole);
void cp_cpi_row_add(struct cp_cpi_rows *, uint32_t row, unsigned slot,
    const struct cp_tally_row *);
/* Returns the cell; one without counts if the slot is not used. */
const struct cp_cpi_cell *cp_cpi_row_cell(
    const struct cp_cpi_rows *, uint32_t row, unsigned slot);
/* Returns all counts of the row. */
struct cp_counts cp_cpi_row(const struct cp_cpi_rows *, uint32_t row);
/* Adds to the counts of the whole capture. */
void cp_cpi_counts_add(
    struct cp_counts *, unsigned slot, const struct cp_tally_row *);
/* Returns the rows that have cycles, most first. */
uint32_t *cp_cpi_rows_sort(
    const struct cp_cpi_rows *, uint32_t *n, const char *const *labels);

/* count.c: what is counted for `cpi`, sample by sample. */

/* The analysis itself. */
struct cpi {
	struct cp_run *run;
	uint64_t top;
	bool brief; /* part of the overview */
	struct cp_cpi_events events;
	struct cp_groups threads;   /* their events are slots */
	struct cp_tally *by_thread; /* group of threads, 0 */
	struct cp_tally *by_cpu;    /* slot, cpu */
	struct cp_tally *by_event;  /* slot, evsel */
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

/* notes.c: how far to trust the counters. */

void cp_cpi_notes(struct cpi *, struct cp_report *);
/* Throttles and lost samples of a role's events; 0 where readings tell. */
uint64_t cp_cpi_missing(const struct cpi *, enum cp_role);
void cp_cpi_note_throttled(struct cpi *, struct cp_report *);
/* Notes missing events, and how to record them. */
void cp_cpi_note_missing(const struct cpi *, struct cp_report *);

/* paths.c: ratios by call path. */

void cp_cpi_paths_show(struct cpi *, struct cp_report *);

/* show.c: shows the ratios of the whole, then the tables. */

void cp_cpi_show(struct cpi *, struct cp_report *);

/* tables.c: ratios by symbol, object, line, task, CPU. */

/* Adds the labels of a row; the first also breaks ties when sorting. */
typedef void (*cp_cpi_labels)(
    const struct cpi *, const void *ctx, uint32_t row, struct cp_table *);

struct cp_cpi_shown {
	const char *slug, *title;
	const char *columns[4]; /* titles of text columns; ends with NULL */
	cp_cpi_labels labels;
	const void *ctx;
	const char *const *sort; /* text to sort equal rows by, by row */
};
void cp_cpi_rows_show(const struct cpi *, const struct cp_cpi_rows *,
    const struct cp_cpi_shown *, struct cp_report *);
/* True if some samples tell both sides of the ratio. */
bool cp_cpi_ratio_known(const struct cpi *, unsigned kind);

/*
 * Show tables; call them after the stacks and groups were added to their rows.
 */
void cp_cpi_entities_show(
    struct cpi *, uint32_t frames, bool symbols, struct cp_report *);
void cp_cpi_lines_show(struct cpi *, struct cp_report *);
void cp_cpi_tasks_show(struct cpi *, bool processes, struct cp_report *);
/* By CPU, or by kind of core of a hybrid processor. */
void cp_cpi_cpus_show(struct cpi *, bool cores, struct cp_report *);

#endif
