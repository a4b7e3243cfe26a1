/* SPDX-License-Identifier: MIT */
/* render/text/charts.h: histograms and heat maps as characters. */
#ifndef CP_RENDER_TEXT_CHARTS_H
#define CP_RENDER_TEXT_CHARTS_H

#include "render/render.h"

void cp_text_histogram(const struct cp_report *,
    const struct cp_render_options *, struct cp_out *,
    const struct cp_histogram *);
void cp_text_grid(const struct cp_report *, const struct cp_render_options *,
    struct cp_out *, const struct cp_grid *);

#endif
