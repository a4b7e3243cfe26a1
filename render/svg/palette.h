/* SPDX-License-Identifier: MIT */
/*
 * render/svg/palette.h: colours of frames in a picture.
 *
 * A frame's class is a letter for its kind and a digit for its name, so that
 * a function keeps its colour from picture to picture.  Colours are written
 * as plain rules of CSS (no variables: viewers other than browsers lack
 * them), once for light and once for dark surroundings.
 */
#ifndef CP_RENDER_SVG_PALETTE_H
#define CP_RENDER_SVG_PALETTE_H

#include "render/common/out.h"

#define CP_PALETTE_KINDS ((size_t)CP_KIND_UNKNOWN + 1)
#define CP_PALETTE_SHADES 8u

void cp_palette_css(struct cp_out *, const char *name);
char cp_palette_letter(enum cp_kind);
const char *cp_palette_label(enum cp_kind); /* for the legend */
/* Steps from blue over neutral to red: classes v0 ... v16, vx: not known. */
#define CP_PALETTE_STEPS 17u
void cp_palette_scale_css(struct cp_out *);
/* Returns the step of a value in -1...1; -1 for NaN. */
int cp_palette_step(double);
unsigned cp_palette_shade(const char *frame_name);

#endif
