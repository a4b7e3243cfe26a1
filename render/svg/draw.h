/* SPDX-License-Identifier: MIT */
/* render/svg/draw.h: what the files of the svg renderer share. */
#ifndef CP_RENDER_SVG_DRAW_H
#define CP_RENDER_SVG_DRAW_H

#include "render/svg/flame-layout.h"
#include "render/render.h"

/* Pixels.  flame.js lays out by the same row, head and foot. */
#define CP_SVG_WIDTH 1200u
#define CP_SVG_MARGIN 10u
#define CP_SVG_ROW 18u
#define CP_SVG_HEAD 96u
#define CP_SVG_FOOT 40u

struct cp_svg {
	const struct cp_report *report;
	const struct cp_section *section;
	const struct cp_flame *flame; /* NULL: a chart */
	struct cp_out *out;
	unsigned width, height;
	double min_share;
	bool icicle;
	const char *tool;
};

static inline const char *
cp_svg_name(const struct cp_tree_node *n)
{
	return *n->name != '\0' ? n->name : "[unknown]";
}

/* Text made visible, cut to so many columns, escaped. */
void cp_svg_text(struct cp_out *, const char *, size_t columns);
void cp_svg_px(struct cp_out *, double);
/* The same as a string of JSON, quotes and all. */
void cp_svg_string(struct cp_out *, const char *);
/*
 * A section as a whole <svg> element; `alone` says whether it is a file of
 * its own.
 */
void cp_svg_section(const struct cp_report *, const struct cp_section *,
    const struct cp_render_options *, struct cp_out *, bool alone);
void cp_svg_head(const struct cp_svg *); /* title, facts, legend */
/* One entry of the legend; moves x on. */
void cp_svg_key(
    struct cp_out *, unsigned *x, const char *class, const char *label);
void cp_svg_picture(const struct cp_svg *); /* what is seen */
/* svg-chart.c: histograms, grids, lanes; svg-chart-data.c: for chart.js. */
unsigned cp_svg_chart_height(const struct cp_svg *);
void cp_svg_chart_legend(const struct cp_svg *);
void cp_svg_chart(const struct cp_svg *);
void cp_svg_chart_data(const struct cp_svg *);
#define CP_SVG_HEATS 9u /* steps of a heat map: classes q1 ... q9 */
unsigned cp_svg_heat(uint64_t value, uint64_t most);
/* The class of a kind of spans: by its tone; blocked ones differ. */
const char *cp_svg_kind_class(const struct cp_lanes *, size_t kind);
void cp_svg_data(const struct cp_svg *); /* what flame.js reads */

#endif
