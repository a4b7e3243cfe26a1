/* SPDX-License-Identifier: MIT */
/* render/text/prose.h: sentences of a table below their row. */
#ifndef CP_RENDER_TEXT_PROSE_H
#define CP_RENDER_TEXT_PROSE_H

#include "render/render.h"

/* Writes a sentence on lines of its own, after its column's name. */
void cp_text_prose(const struct cp_render_options *, struct cp_out *,
    const char *name, const struct cp_value *);

#endif
