/* SPDX-License-Identifier: MIT */
/* analyses/cpi/rows.h: the counts of the rows of a table of ratios. */
#ifndef CP_ANALYSES_CPI_ROWS_H
#define CP_ANALYSES_CPI_ROWS_H

#include "analyses/common/ratio.h"

/* Counts by the number of a row, which the caller's index gives. */
struct cp_cpi_rows {
	struct cp_run *run;
	struct cp_counts *all;
	uint32_t n, cap;
};
/* A slot is a role, or CP_ROLES + a ratio for the counts of readings. */
void cp_cpi_row_add(struct cp_cpi_rows *, uint32_t row, unsigned slot,
    const struct cp_tally_row *);
/* Returns the rows that have cycles, most first. */
uint32_t *cp_cpi_rows_sort(
    const struct cp_cpi_rows *, uint32_t *n, const char *const *labels);

#endif
