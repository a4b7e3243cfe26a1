/* SPDX-License-Identifier: MIT */
/* analyses/cpi/rows.h: the counts of the rows of a table of ratios. */
#ifndef CP_ANALYSES_CPI_ROWS_H
#define CP_ANALYSES_CPI_ROWS_H

#include "analyses/common/ratio.h"

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

#endif
