/* SPDX-License-Identifier: MIT */
/* analyses/cpi/tables.h: ratios by symbol, object, line, task, CPU. */
#ifndef CP_ANALYSES_CPI_TABLES_H
#define CP_ANALYSES_CPI_TABLES_H

#include "analyses/cpi/count.h"

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
void cp_cpi_cpus_show(struct cpi *, struct cp_report *);

#endif
