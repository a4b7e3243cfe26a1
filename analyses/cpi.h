/* SPDX-License-Identifier: MIT */
/*
 * analyses/cpi.h: the parts of `cpi`.
 *
 * cpi-events.c chooses the events, cpi.c counts and shows them,
 * cpi-blocks.c makes counts of the cycles between two branches.
 */
#ifndef CP_ANALYSES_CPI_H
#define CP_ANALYSES_CPI_H

#include "analyses/groups.h"
#include "analyses/index.h"
#include "analyses/ratios.h"

/* What is tallied under one number: counts of a role, or pairs of a ratio. */
enum { CP_CPI_SLOTS = CP_ROLES + CP_RATIOS };

struct cp_cpi_event {
	struct cp_counted what;
	bool used;
	bool uncounted; /* its samples do not say how many events they are */
};

/* cpi.c: the short form, a part of the overview. */
struct cpi;
struct cpi *cp_cpi_new(struct cp_run *, uint64_t top);
void cp_cpi_sample(struct cpi *, const struct cp_sample *);
/* Nothing, if the capture does not tell. */
void cp_cpi_brief_show(struct cpi *, struct cp_report *);

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
void cp_cpi_note_events(struct cp_run *, const struct cp_cpi_events *,
    struct cp_report *);

/* Rows of a table: what was counted, by a number that an index gives. */
struct cp_cpi_rows {
	struct cp_run *run;
	struct cp_counts *all;
	uint32_t n, cap;
};
void cp_cpi_row_add(struct cp_cpi_rows *, uint32_t row, unsigned slot,
    const struct cp_tally_row *);
/* Numbers of rows that have cycles, most first. */
uint32_t *cp_cpi_rows_sort(const struct cp_cpi_rows *, uint32_t *n,
    const char *const *labels);

/* Runs of instructions between two branches. */
struct cp_cpi_blocks {
	struct cp_run *run;
	struct cp_tally *blocks; /* frame of the first and last instruction */
	uint64_t samples, entries;
};
void cp_cpi_blocks_sample(
    struct cp_cpi_blocks *, const struct cp_sample *);
/* The tables of a capture that has nothing else; false: not even that. */
bool cp_cpi_blocks_show(
    struct cp_cpi_blocks *, struct cp_report *, uint64_t top);

#endif
