/* SPDX-License-Identifier: MIT */
/*
 * render/svg/palette.h: colours of frames in a picture.
 *
 * A frame's class is a letter for its group (groups.h) and a digit for its
 * name, so that a function keeps its colour from picture to picture.  Colours
 * are written as plain rules of CSS (no variables: viewers other than browsers
 * lack them), once for light and once for dark surroundings.
 */
#ifndef CP_RENDER_SVG_PALETTE_H
#define CP_RENDER_SVG_PALETTE_H

#include <coldperf/report.h>

#include "render/common/out.h"

#define CP_PALETTE_KINDS ((size_t)CP_KIND_UNKNOWN + 1)
#define CP_PALETTE_SHADES 8u
#define CP_PALETTE_OBJECTS 7u

void cp_palette_css(struct cp_out *, const char *name);
/* What has a hue of its own; NONE: functions differ, and nothing else. */
enum cp_hues { CP_HUES_NONE, CP_HUES_KIND, CP_HUES_OBJECT, CP_HUES_LANGUAGE };
enum cp_hues cp_palette_hues(const char *name);
/* The letter of a group (groups.h): of a kind, or of one of 7 hues. */
char cp_palette_letter(size_t group);
const char *cp_palette_label(enum cp_kind); /* for the legend */
/* Steps from blue over neutral to red: classes v0 ... v16, vx: not known. */
#define CP_PALETTE_STEPS 17u
void cp_palette_scale_css(struct cp_out *);
/* Returns the step of a value in -1...1; -1 for NaN. */
int cp_palette_step(double);
uint32_t cp_palette_hash(const char *name);
unsigned cp_palette_shade(const char *frame_name);

#endif
