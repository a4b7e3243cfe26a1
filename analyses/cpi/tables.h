/* SPDX-License-Identifier: MIT */
/* analyses/cpi/tables.h: ratios by symbol, object, line, task, CPU. */
#ifndef CP_ANALYSES_CPI_TABLES_H
#define CP_ANALYSES_CPI_TABLES_H

#include "analyses/cpi/count.h"

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

#endif
