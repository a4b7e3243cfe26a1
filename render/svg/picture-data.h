/* SPDX-License-Identifier: MIT */
/* render/svg/picture-data.h: a flame graph as JSON for its script. */
#ifndef CP_RENDER_SVG_PICTURE_DATA_H
#define CP_RENDER_SVG_PICTURE_DATA_H

#include "render/svg/draw.h"

void cp_svg_picture_data(const struct cp_svg *);

#endif
