/* SPDX-License-Identifier: MIT */
/*
 * render/page/static.h: a report as plain HTML, for paper and for readers
 * without scripts.
 */
#ifndef CP_RENDER_PAGE_STATIC_H
#define CP_RENDER_PAGE_STATIC_H

#include "render/render.h"

/* A text of the capture, escaped. */
void cp_page_text(struct cp_out *, const char *);
/* The line below the page's title. */
void cp_page_subtitle(const struct cp_report *,
    const struct cp_render_options *, struct cp_out *);
/* All sections but trees and charts. */
void cp_page_sections(const struct cp_report *,
    const struct cp_render_options *, struct cp_out *);

#endif
