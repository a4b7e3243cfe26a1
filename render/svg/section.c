/* SPDX-License-Identifier: MIT */
/*
 * render/svg/section.c: puts a picture together: title, style, drawing, data,
 * scripts.
 *
 * It is complete without scripts: geometry, texts and colours are written
 * out.  A viewer with scripts runs picture.js and those of a flame graph or of
 * a chart, which read a block of JSON and lay it out anew for the window.
 * Frames narrower than the smallest share are left out and the picture says how
 * many.  Scalars and notes of the report go into its description.
 */
#include "render/svg/draw.h"

#include "base/limits.h"
#include "render/common/escape.h"
#include "render/common/format.h"
#include "render/svg/chart.h"
#include "render/svg/head.h"
#include "render/svg/palette.h"

static const char *const flame_css[] = {
#include "render/svg/flame.css.inc"
};
static const char *const chart_css[] = {
#include "render/svg/chart.css.inc"
};
static const char *const picture_js[] = {
#include "render/svg/picture.js.inc"
};
static const char *const flame_js[] = {
#include "render/svg/flame.js.inc"
};
static const char *const chart_js[] = {
#include "render/svg/chart.js.inc"
};

static void
put_lines(struct cp_out *out, const char *const *line, size_t n)
{
	for (size_t i = 0; i < n; i++)
		cp_out_str(out, line[i]);
}

static void
put_scalars(struct cp_out *out, const struct cp_section *s)
{
	struct cp_buf b;

	cp_buf_init(&b, SIZE_MAX / 2);
	for (size_t i = 0; i < s->scalars.len; i++) {
		cp_buf_reset(&b);
		cp_escape_terminal(&b, s->scalars.data[i].key);
		cp_buf_str(&b, ": ");
		cp_format_value(
		    &b, s->scalars.data[i].type, &s->scalars.data[i].value);
		cp_svg_text(out, cp_buf_text(&b), CP_MAX_SVG_TEXT);
		cp_out_char(out, '\n');
	}
	cp_buf_free(&b);
}

/* Writes the report's other facts as text. */
static void
put_description(const struct cp_report *r, struct cp_out *out)
{
	cp_out_str(out, "<desc>");
	for (const struct cp_section *s = r->first; s != NULL; s = s->next) {
		if (s->type == CP_SECTION_SCALARS) {
			put_scalars(out, s);
			continue;
		}
		for (size_t i = 0;
		     s->type == CP_SECTION_NOTES && i < s->notes.len; i++) {
			cp_svg_text(out, s->notes.data[i], CP_MAX_SVG_TEXT);
			cp_out_char(out, '\n');
		}
	}
	cp_out_str(out, "</desc>\n");
}

static void
put_style(const struct cp_svg *s, const char *palette)
{
	struct cp_out *out = s->out;

	cp_out_str(out, "<style><![CDATA[\n");
	if (s->flame == NULL)
		put_lines(out, chart_css, CP_ARRAY_LEN(chart_css));
	else if (s->flame->tree->scale != CP_SCALE_NONE)
		cp_palette_scale_css(out);
	else
		cp_palette_css(out, palette);
	put_lines(out, flame_css, CP_ARRAY_LEN(flame_css));
	cp_out_str(out, "]]></style>\n");
}

static void
put_flame_open(const struct cp_svg *s)
{
	const struct cp_flame *f = s->flame;
	double all = (double)f->tree->nodes.data[0].total;

	cp_out_printf(s->out,
	    "class=\"coldperf-flame%s\" aria-roledescription=\"%s\" "
	    "data-frames=\"%zu\" data-dropped=\"%" PRIu64
	    "\" data-dropped-share=\"%.6g\"",
	    s->icicle ? " icicle" : "",
	    f->timed ? "flame chart" : "flame graph", f->frames.len, f->dropped,
	    all > 0 ? (double)f->dropped_weight / all : 0);
}

static void
put_open(const struct cp_svg *s)
{
	cp_out_printf(s->out,
	    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" "
	    "height=\"%u\" viewBox=\"0 0 %u %u\" "
	    "role=\"graphics-document document\" ",
	    s->width, s->height, s->width, s->height);
	if (s->flame != NULL)
		put_flame_open(s);
	else
		cp_out_str(s->out, "class=\"coldperf-flame coldperf-chart\" "
				   "aria-roledescription=\"chart\"");
	cp_out_str(s->out, ">\n");
}

static void
put_scripts(const struct cp_svg *s)
{
	cp_out_str(s->out, "<script><![CDATA[\n(function () {\n"
			   "'use strict';\n");
	put_lines(s->out, picture_js, CP_ARRAY_LEN(picture_js));
	if (s->flame != NULL)
		put_lines(s->out, flame_js, CP_ARRAY_LEN(flame_js));
	else
		put_lines(s->out, chart_js, CP_ARRAY_LEN(chart_js));
	cp_out_str(s->out, "})();\n]]></script>\n");
}

static void
put_picture(const struct cp_svg *s, const struct cp_render_options *opt)
{
	put_open(s);
	cp_out_str(s->out, "<title>");
	cp_svg_text(s->out,
	    *s->report->title != '\0' ? s->report->title : s->section->title,
	    CP_MAX_SVG_TEXT);
	cp_out_str(s->out, "</title>\n");
	put_description(s->report, s->out);
	put_style(s, opt->palette);
	if (s->flame != NULL) {
		cp_svg_picture(s);
		cp_svg_picture_data(s);
	} else {
		cp_svg_chart(s);
		cp_svg_chart_data(s);
	}
	put_scripts(s);
	cp_out_str(s->out, "</svg>\n");
}

static unsigned
width_of(unsigned asked)
{
	return asked >= 200 ? asked : CP_SVG_WIDTH;
}

double
cp_svg_share(unsigned width)
{
	return 0.1 / width_of(width);
}

void
cp_svg_section(const struct cp_report *r, const struct cp_section *section,
    const struct cp_render_options *opt, struct cp_out *out)
{
	struct cp_flame f;
	struct cp_svg_groups g;
	struct cp_buf facts;
	struct cp_svg s = { .report = r,
		.section = section,
		.out = out,
		.icicle = opt->icicle,
		.brief = opt->brief,
		.subtitle = opt->subtitle,
		.tool = opt->tool };

	s.width = width_of(opt->width);
	cp_buf_init(&facts, SIZE_MAX / 2);
	s.facts = &facts;
	if (section->type != CP_SECTION_TREE) {
		cp_svg_head_init(&s);
		s.height = cp_svg_chart_height(&s);
		if (section->type == CP_SECTION_GRID)
			s.most = cp_svg_grid_most(&s);
		put_picture(&s, opt);
		cp_buf_free(&facts);
		return;
	}
	s.flame = &f;
	s.min_share =
	    opt->min_share > 0 ? opt->min_share : cp_svg_share(opt->width);
	cp_flame_init(&f, &section->tree, s.min_share);
	cp_svg_groups_init(&g, &f, opt->palette);
	s.groups = &g;
	cp_svg_head_init(&s);
	s.height = s.head + (f.depth + 1) * CP_SVG_ROW + CP_SVG_FOOT;
	put_picture(&s, opt);
	cp_buf_free(&facts);
	cp_flame_free(&f);
}
