/* SPDX-License-Identifier: MIT */
/* render/svg/legend.h: the legend of a picture's colours. */
#ifndef CP_RENDER_SVG_LEGEND_H
#define CP_RENDER_SVG_LEGEND_H

#include "render/svg/draw.h"

void cp_svg_legend(const struct cp_svg *);
#define CP_SVG_HEATS 9u /* steps of a heat map: classes q1 ... q9 */
unsigned cp_svg_heat(uint64_t value, uint64_t most);
/* Returns the class of a kind of spans, by its tone; blocked kinds differ. */
const char *cp_svg_kind_class(const struct cp_lanes *, size_t kind);

#endif
