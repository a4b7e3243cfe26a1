/* SPDX-License-Identifier: MIT */
/* render/svg/chart.h: draws histograms, heat maps and lanes. */
#ifndef CP_RENDER_SVG_CHART_H
#define CP_RENDER_SVG_CHART_H

#include "render/svg/draw.h"

unsigned cp_svg_chart_height(const struct cp_svg *);
/* Returns the largest value of a grid's cells as they are drawn. */
uint64_t cp_svg_grid_most(const struct cp_svg *);
void cp_svg_chart(const struct cp_svg *);

#endif
