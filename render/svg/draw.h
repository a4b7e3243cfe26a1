/* SPDX-License-Identifier: MIT */
/*
 * render/svg/draw.h: the state and sizes of a picture, and small drawing
 * functions.
 *
 * This room makes pictures: flame graphs (picture.c) and charts (chart.c),
 * each with the JSON that its script reads (picture-data.c, chart-data.c).  It
 * may use render.h, render/common and report/, and nothing of render/text.
 * Begin in section.c, which puts a picture together.
 */
#ifndef CP_RENDER_SVG_DRAW_H
#define CP_RENDER_SVG_DRAW_H

#include "render/render.h"
#include "render/svg/flame-layout.h"
#include "render/svg/groups.h"
#include "render/common/out.h"

/* Pixels.  The scripts use the same row, head and foot. */
#define CP_SVG_WIDTH 1200u
#define CP_SVG_MARGIN 10u
#define CP_SVG_ROW 18u
#define CP_SVG_HEAD 96u /* with one line of facts */
#define CP_SVG_FOOT 40u

struct cp_svg {
	const struct cp_report *report;
	const struct cp_section *section;
	const struct cp_flame *flame;       /* NULL: a chart */
	const struct cp_svg_groups *groups; /* of the flame graph */
	struct cp_out *out;
	unsigned width, height;
	unsigned head;        /* height of what stands above the picture */
	struct cp_buf *facts; /* the lines under the title */
	uint64_t most;        /* of a grid's cells as they are drawn */
	double min_share;
	bool icicle, brief;          /* brief: short names always */
	const char *subtitle, *tool; /* NULL: none */
};

static inline const char *
cp_svg_name(const struct cp_tree_node *n)
{
	return *n->name != '\0' ? n->name : "[unknown]";
}

/*
 * Writes text with hidden characters made visible, cut to that many columns,
 * escaped.
 */
void cp_svg_text(struct cp_out *, const char *, size_t columns);
/* Writes a name, cut by fit-name.h. */
void cp_svg_label(const struct cp_svg *, const char *, size_t columns);
void cp_svg_px(struct cp_out *, double);

/* chart-data.c: a chart as JSON for its script. */

void cp_svg_chart_data(const struct cp_svg *);

/* picture-data.c: a flame graph as JSON for its script. */

void cp_svg_picture_data(const struct cp_svg *);

/* picture.c: draws a flame graph. */

void cp_svg_picture(const struct cp_svg *);

/* section.c: a section of a report as a whole <svg> file. */

void cp_svg_section(const struct cp_report *, const struct cp_section *,
    const struct cp_render_options *, struct cp_out *);

/* strings.c: texts as JSON strings, for the scripts. */

/*
 * Writes a quoted string, with hidden characters made visible, cut to
 * CP_MAX_SVG_TEXT columns.
 */
void cp_svg_string(struct cp_out *, const char *);

#endif
