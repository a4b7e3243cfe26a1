/* SPDX-License-Identifier: MIT */
/* render/text/text.h: sections of a report as text. */
#ifndef CP_RENDER_TEXT_TEXT_H
#define CP_RENDER_TEXT_TEXT_H

#include "render/render.h"

/* lanes.c: spans of time as rows of characters. */

void cp_text_lanes(const struct cp_report *, const struct cp_render_options *,
    struct cp_out *, const struct cp_lanes *);

/* prose.c: sentences of a table below their row. */

/* Writes a sentence on lines of its own, after its column's name. */
void cp_text_prose(const struct cp_render_options *, struct cp_out *,
    const char *name, const struct cp_value *);

/* table.c: a table, laid out for the width of a terminal. */

void cp_text_table(
    const struct cp_render_options *, struct cp_out *, const struct cp_table *);

/* tree.c: a call tree as indented lines. */

void cp_text_tree(
    const struct cp_render_options *, struct cp_out *, const struct cp_tree *);

#endif
