/* SPDX-License-Identifier: MIT */
/* render/page/tables.h: a profile as columns of a page. */
#ifndef CP_RENDER_PAGE_TABLES_H
#define CP_RENDER_PAGE_TABLES_H

#include "render/page/bins.h"
#include "render/page/column.h"
#include "report/profile.h"

/* No clock of a capture gets that far before the year 2116. */
#define CP_PAGE_NO_TIME (UINT64_C(1) << 62)

/* Times count from `from'; one that is not known is -1. */
void cp_page_tables(struct cp_page_columns *, const struct cp_profile *,
    const struct cp_page_samples *, uint64_t from);

#endif
