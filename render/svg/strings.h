/* SPDX-License-Identifier: MIT */
/* render/svg/strings.h: texts as JSON strings, for the scripts. */
#ifndef CP_RENDER_SVG_STRINGS_H
#define CP_RENDER_SVG_STRINGS_H

#include "render/common/out.h"

/*
 * Writes a quoted string, with hidden characters made visible, cut to
 * CP_MAX_SVG_TEXT columns.
 */
void cp_svg_string(struct cp_out *, const char *);

#endif
