/* SPDX-License-Identifier: MIT */
/* render/svg/chart-data.h: a chart as JSON for its script. */
#ifndef CP_RENDER_SVG_CHART_DATA_H
#define CP_RENDER_SVG_CHART_DATA_H

#include "render/svg/draw.h"

void cp_svg_chart_data(const struct cp_svg *);

#endif
