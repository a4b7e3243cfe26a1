/* SPDX-License-Identifier: MIT */
/*
 * render/page/page.h: a report and the samples behind it as one page that needs
 * no other file.
 *
 * The page carries the samples as packed columns (docs/page-format.md) and a
 * script that shows them.  Its policy lets nothing run or load but that script
 * and style, which it names by their checksums.  Without scripts the report's
 * tables can be read.
 */
#ifndef CP_RENDER_PAGE_PAGE_H
#define CP_RENDER_PAGE_PAGE_H

#include "render/render.h"
#include "report/profile.h"
#include "render/page/bins.h"
#include "render/page/column.h"

void cp_page_write(const struct cp_report *, const struct cp_profile *,
    const struct cp_render_options *, struct cp_out *);

/* tables.c: a profile as columns of a page. */

/* No clock of a capture gets that far before the year 2116. */
#define CP_PAGE_NO_TIME (UINT64_C(1) << 62)

/* Times count from `from'; one that is not known is -1. */
void cp_page_tables(struct cp_page_columns *, const struct cp_profile *,
    const struct cp_page_samples *, uint64_t from);

#endif
