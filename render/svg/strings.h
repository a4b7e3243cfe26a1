/* SPDX-License-Identifier: MIT */
/* render/svg/strings.h: texts as strings of JSON, for the scripts. */
#ifndef CP_RENDER_SVG_STRINGS_H
#define CP_RENDER_SVG_STRINGS_H

#include "render/common/out.h"

/* Made visible, cut to CP_MAX_SVG_TEXT columns, with its quotes. */
void cp_svg_string(struct cp_out *, const char *);

#endif
