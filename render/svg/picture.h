/* SPDX-License-Identifier: MIT */
/* render/svg/picture.h: draws a flame graph. */
#ifndef CP_RENDER_SVG_PICTURE_H
#define CP_RENDER_SVG_PICTURE_H

#include "render/svg/draw.h"

void cp_svg_picture(const struct cp_svg *);

#endif
