/* SPDX-License-Identifier: MIT */
/* render/svg/head.h: title, facts and legend at the top of a picture. */
#ifndef CP_RENDER_SVG_HEAD_H
#define CP_RENDER_SVG_HEAD_H

#include "render/svg/draw.h"

/* Lays out the facts: sets the height of the head. */
void cp_svg_head_init(struct cp_svg *);
void cp_svg_head(const struct cp_svg *);

#endif
