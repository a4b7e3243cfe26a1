/* SPDX-License-Identifier: MIT */
/* render/text/lanes.h: spans of time as rows of characters. */
#ifndef CP_RENDER_TEXT_LANES_H
#define CP_RENDER_TEXT_LANES_H

#include "render/render.h"

void cp_text_lanes(const struct cp_report *, const struct cp_render_options *,
    struct cp_out *, const struct cp_lanes *);

#endif
