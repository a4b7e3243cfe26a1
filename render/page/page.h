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

void cp_page_write(const struct cp_report *, const struct cp_profile *,
    const struct cp_render_options *, struct cp_out *);

#endif
