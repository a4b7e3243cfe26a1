/* SPDX-License-Identifier: MIT */
/* render/text/table.h: a table, laid out for the width of a terminal. */
#ifndef CP_RENDER_TEXT_TABLE_H
#define CP_RENDER_TEXT_TABLE_H

#include "render/render.h"

void cp_text_table(
    const struct cp_render_options *, struct cp_out *, const struct cp_table *);

#endif
