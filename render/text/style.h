/* SPDX-License-Identifier: MIT */
/*
 * render/text/style.h: colours, blanks and widths of lines of text.
 *
 * This room prints one kind of section each as lines of a terminal: table.c,
 * tree.c, charts.c, lanes.c, prose.c.  It may use render.h, render/common and
 * report/, and nothing of render/svg.  Begin in table.c, or in render/text.c,
 * which puts the sections of a report in their order.
 */
#ifndef CP_RENDER_TEXT_STYLE_H
#define CP_RENDER_TEXT_STYLE_H

#include "render/render.h"

/* Parameters of the terminal's SGR sequence. */
#define CP_STYLE_HOT "31"
#define CP_STYLE_WARM "32"
#define CP_STYLE_DIM "2"
#define CP_STYLE_HEAD "4"
#define CP_STYLE_TITLE "1"

/* Returns the style of a share: red from 5 %, green from 0.5 %, as in perf. */
const char *cp_text_heat(double share);
void cp_text_styled(struct cp_out *, const struct cp_render_options *,
    const char *style, const char *text, size_t n);
/* Is the value a zero in a listing, which text leaves blank? */
bool cp_text_blank(
    const struct cp_table *, enum cp_column_type, const struct cp_value *);
/* Returns a flag by column: some row has a value to show.  To be freed. */
bool *cp_text_used(const struct cp_table *);
/*
 * Returns whether a column's intervals are shown, by column; to be freed.
 * Below 100 columns one share has them, the first.
 */
bool *cp_text_sure(const struct cp_render_options *, const struct cp_table *);
/* Clears the marks of columns that --columns does not name, if it names any. */
void cp_text_chosen(
    const struct cp_render_options *, const struct cp_table *, bool *used);
void cp_text_interval(
    struct cp_buf *, enum cp_column_type, const struct cp_value *);
/* Returns the columns left in a line, 20 at least. */
unsigned cp_text_room(const struct cp_render_options *, size_t taken);
void cp_text_right(struct cp_out *, const struct cp_buf *, size_t width);

#endif
