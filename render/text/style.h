/* SPDX-License-Identifier: MIT */
/* render/text/style.h: what renderers for people share. */
#ifndef CP_RENDER_TEXT_STYLE_H
#define CP_RENDER_TEXT_STYLE_H

#include "render/render.h"

/* Parameters of the terminal's SGR sequence. */
#define CP_STYLE_HOT "31"
#define CP_STYLE_WARM "32"
#define CP_STYLE_DIM "2"
#define CP_STYLE_HEAD "4"
#define CP_STYLE_TITLE "1"

/* Red from 5 %, green from 0.5 %, as perf does. */
const char *cp_text_heat(double share);
void cp_text_styled(struct cp_out *, const struct cp_render_options *,
    const char *style, const char *text, size_t n);
void cp_text_value(
    struct cp_buf *, enum cp_column_type, const struct cp_value *);
/* Is it a number of a listing that people need not see? */
bool cp_text_blank(
    const struct cp_table *, enum cp_column_type, const struct cp_value *);
/* By column: does any row have something there to show?  To be freed. */
bool *cp_text_used(const struct cp_table *);
void cp_text_interval(
    struct cp_buf *, enum cp_column_type, const struct cp_value *);
/* A sentence on lines of its own, after its column's name. */
void cp_text_prose(const struct cp_render_options *, struct cp_out *,
    const char *name, const struct cp_value *);
/* "… and 12 more (3.45%)" for the rows that were left out. */
void cp_text_rest(struct cp_out *, const struct cp_table *);
/* Columns left of a line, 20 at least. */
unsigned cp_text_room(const struct cp_render_options *, size_t taken);
void cp_text_right(struct cp_out *, const struct cp_buf *, size_t width);
/* A value on an axis; moments are told from the start of the capture. */
void cp_text_axis(
    struct cp_buf *, const struct cp_report *, enum cp_column_type, uint64_t);
void cp_text_histogram(const struct cp_report *,
    const struct cp_render_options *, struct cp_out *,
    const struct cp_histogram *);
void cp_text_grid(const struct cp_report *, const struct cp_render_options *,
    struct cp_out *, const struct cp_grid *);
void cp_text_lanes(const struct cp_report *, const struct cp_render_options *,
    struct cp_out *, const struct cp_lanes *);
/* What the value of a tree's node is called; false: not known. */
bool cp_text_node_value(const struct cp_tree *, const struct cp_tree_node *,
    char *text, size_t size);
/*
 * How much of a node was guessed, and how: "guessed: frame pointer"; false:
 * nothing.
 */
bool cp_text_guess(struct cp_buf *, const struct cp_tree *, uint32_t node);
/* Most of it: pictures mark such nodes. */
bool cp_text_guessed(const struct cp_tree *, uint32_t node);
void cp_text_tree(
    const struct cp_render_options *, struct cp_out *, const struct cp_tree *);

#endif
