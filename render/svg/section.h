/* SPDX-License-Identifier: MIT */
/* render/svg/section.h: a section of a report as a whole <svg> file. */
#ifndef CP_RENDER_SVG_SECTION_H
#define CP_RENDER_SVG_SECTION_H

#include "render/render.h"

void cp_svg_section(const struct cp_report *, const struct cp_section *,
    const struct cp_render_options *, struct cp_out *);

#endif
