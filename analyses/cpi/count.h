/* SPDX-License-Identifier: MIT */
/*
 * analyses/cpi/count.h: the parts of `cpi`.
 *
 * cpi-events.c chooses the events, cpi.c counts, cpi-tables.c, cpi-paths.c
 * and cpi-notes.c show, cpi-blocks.c makes counts of the cycles between two
 * branches.
 */
#ifndef CP_ANALYSES_CPI_COUNT_H
#define CP_ANALYSES_CPI_COUNT_H

#include "analyses/common/code-groups.h"
#include "analyses/common/sample-groups.h"
#include "analyses/common/dense-ids.h"
#include "analyses/common/ratio.h"

/* What is tallied under one number: counts of a role, or pairs of a ratio. */
enum { CP_CPI_SLOTS = CP_ROLES + CP_RATIOS };

struct cp_cpi_event {
	struct cp_counted what;
	bool used;
	bool uncounted; /* its samples do not say how many events they are */
};

/* Which events of the capture are used. */
struct cp_cpi_events {
	struct cp_cpi_event *all; /* by index */
	uint32_t n, cap;
};

/* Looks at the events that are known by now. */
void cp_cpi_choose(struct cp_run *, struct cp_cpi_events *);
/* The names of the used events of a role, joined by " + ". */
const char *cp_cpi_names(
    struct cp_run *, const struct cp_cpi_events *, enum cp_role);
/* Says what was left out, and why. */
void cp_cpi_note_events(
    struct cp_run *, const struct cp_cpi_events *, struct cp_report *);

/* Rows of a table: what was counted, by a number that an index gives. */
struct cp_cpi_rows {
	struct cp_run *run;
	struct cp_counts *all;
	uint32_t n, cap;
};
void cp_cpi_row_add(struct cp_cpi_rows *, uint32_t row, unsigned slot,
    const struct cp_tally_row *);
/* Numbers of rows that have cycles, most first. */
uint32_t *cp_cpi_rows_sort(
    const struct cp_cpi_rows *, uint32_t *n, const char *const *labels);

/* Runs of instructions between two branches. */
struct cp_cpi_blocks {
	struct cp_run *run;
	struct cp_tally *blocks; /* frame of the first and last instruction */
	uint64_t samples, entries;
};
void cp_cpi_blocks_sample(struct cp_cpi_blocks *, const struct cp_sample *);
/* The tables of a capture that has nothing else; false: not even that. */
bool cp_cpi_blocks_show(
    struct cp_cpi_blocks *, struct cp_report *, uint64_t top);

/* The analysis itself. */
struct cpi {
	struct cp_run *run;
	uint64_t top;
	bool brief; /* a part of the overview */
	struct cp_cpi_events events;
	struct cp_groups threads;   /* their events are slots */
	struct cp_tally *by_thread; /* group of threads, 0 */
	struct cp_tally *by_cpu;    /* slot, cpu */
	struct cp_tally *by_stack;  /* comm << 8 | slot, stack */
	struct cp_cpi_blocks blocks;

	/* The record whose counts are coming in. */
	struct cp_sample at;
	uint64_t value[CP_ROLES];
	bool has[CP_ROLES];
	bool tells[CP_RATIOS]; /* both events of it are used */
	uint64_t joint;        /* records with counts of several events */
	double enabled, running;

	/* Of finish(). */
	bool readings; /* the counts are those of joint records */
	struct cp_counts whole;
	struct cp_entities entities;
	struct cp_grouped by_group;
	const struct cp_tally_row *stacks;
	size_t n_stacks;
};

/* cpi.c: the short form, a part of the overview. */
struct cpi *cp_cpi_new(struct cp_run *, uint64_t top);
void cp_cpi_sample(struct cpi *, const struct cp_sample *);
/* Nothing, if the capture does not tell. */
void cp_cpi_brief_show(struct cpi *, struct cp_report *);

/* What the labels of a row are; the first also breaks ties. */
typedef void (*cp_cpi_labels)(
    const struct cpi *, const void *ctx, uint32_t row, struct cp_table *);

struct cp_cpi_shown {
	const char *slug, *title;
	const char *columns[4]; /* of text, NULL at the end */
	cp_cpi_labels labels;
	const void *ctx;
	const char *const *sort; /* text by row */
};
void cp_cpi_rows_show(const struct cpi *, const struct cp_cpi_rows *,
    const struct cp_cpi_shown *, struct cp_report *);
/* Some samples tell both sides of a ratio. */
bool cp_cpi_ratio_known(const struct cpi *, unsigned kind);

/* Tables, once the stacks and groups are in their rows. */
void cp_cpi_entities_show(
    struct cpi *, uint32_t frames, bool symbols, struct cp_report *);
void cp_cpi_lines_show(struct cpi *, struct cp_report *);
void cp_cpi_tasks_show(struct cpi *, bool processes, struct cp_report *);
void cp_cpi_cpus_show(struct cpi *, struct cp_report *);
void cp_cpi_paths_show(struct cpi *, struct cp_report *);

void cp_cpi_notes(struct cpi *, struct cp_report *);
void cp_cpi_note_throttled(struct cpi *, struct cp_report *);
/* What is missing, and how to get it. */
void cp_cpi_note_missing(const struct cpi *, struct cp_report *);

#endif
