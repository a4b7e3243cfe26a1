/* SPDX-License-Identifier: MIT */
/*
 * svg-picture: heading, legend and frames of a flame graph, written out for
 * any viewer.
 */
#include "render/escape.h"
#include "render/format.h"
#include "render/palette.h"
#include "render/svg.h"

/* Width of a character of the frames' font, 12 pixels high: 0.602 em. */
#define CHAR_WIDTH 7.23
#define TITLE_CHAR_WIDTH 9.2
/* Tooltips of viewers without scripts; beyond, they cost more than they give:
   each adds the name to a file that has it once already. */
#define MAX_TITLES 10000u

static void
put_fact(const struct cp_svg *s, const char *key, struct cp_buf *value)
{
	if (value->len != 0) {
		cp_out_str(s->out, "<tspan class=\"item\">");
		cp_svg_text(s->out, key, 40);
		cp_svg_text(s->out, cp_buf_text(value), 120);
		cp_out_str(s->out, "</tspan>");
		value->len = 0;
	}
}

static void
put_gap(const struct cp_svg *s)
{
	cp_out_str(s->out, "  ·  ");
}

static void
put_facts(const struct cp_svg *s)
{
	const struct cp_tree_node *root = &s->flame->tree->nodes.data[0];
	struct cp_buf b;

	cp_buf_init(&b, 4096);
	cp_out_printf(s->out, "<text class=\"fact\" x=\"%u\" y=\"50\">",
	    CP_SVG_MARGIN);
	cp_buf_str(&b, s->section->title);
	put_fact(s, "", &b);
	if (*s->report->event != '\0') {
		put_gap(s);
		cp_buf_str(&b, s->report->event);
		put_fact(s, "event ", &b);
	}
	if (strcmp(s->report->weight, "samples") != 0) {
		put_gap(s);
		cp_format_count(&b, root->total);
		cp_buf_printf(&b, " %s", s->report->weight);
		put_fact(s, "", &b);
	}
	if (s->flame->samples != NULL) {
		put_gap(s);
		cp_format_count(&b, s->flame->samples[0]);
		cp_buf_str(&b, " samples");
		put_fact(s, "", &b);
	}
	if (s->tool != NULL) {
		put_gap(s);
		cp_buf_str(&b, s->tool);
		put_fact(s, "", &b);
	}
	cp_out_str(s->out, "</text>\n");
	cp_buf_free(&b);
}

static void
put_legend(const struct cp_svg *s)
{
	bool used[CP_PALETTE_KINDS] = { false };
	unsigned x = CP_SVG_MARGIN;

	for (size_t i = 0; i < s->flame->frames.len; i++) {
		uint32_t node = s->flame->frames.data[i].node;

		if (node != 0)
			used[s->flame->tree->nodes.data[node].kind] = true;
	}
	cp_out_str(s->out, "<g class=\"legend\">");
	for (size_t k = 0; k < CP_PALETTE_KINDS; k++) {
		const char *label = cp_palette_label((enum cp_kind)k);

		if (!used[k])
			continue;
		cp_out_printf(s->out,
		    "<g transform=\"translate(%u,62)\"><rect class=\"%c2\" "
		    "width=\"12\" height=\"12\" rx=\"2\"/><text class=\"key\" "
		    "x=\"17\" y=\"10.5\">%s</text></g>",
		    x, cp_palette_letter((enum cp_kind)k), label);
		x += 34 + 7 * (unsigned)strlen(label);
	}
	cp_out_str(s->out, "</g>\n");
}

static void
put_head(const struct cp_svg *s)
{
	const char *title = s->report->title;

	cp_out_str(s->out, "<g class=\"head\">");
	cp_out_printf(s->out, "<text class=\"title\" x=\"%u\" y=\"28\">",
	    CP_SVG_MARGIN);
	cp_svg_text(s->out, *title != '\0' ? title : s->section->title,
	    (size_t)((s->width - 2 * CP_SVG_MARGIN) / TITLE_CHAR_WIDTH));
	cp_out_str(s->out, "</text>\n");
	put_facts(s);
	put_legend(s);
	cp_out_str(s->out, "</g>\n");
}

static void
put_tooltip(const struct cp_svg *s, const struct cp_flame_frame *fr)
{
	const struct cp_tree_node *n = &s->flame->tree->nodes.data[fr->node];
	struct cp_buf b;

	cp_out_str(s->out, "><title>");
	cp_svg_text(s->out, n->name, 400);
	cp_buf_init(&b, 256);
	cp_buf_str(&b, "\n");
	cp_format_share(&b,
	    (double)n->total / (double)s->flame->tree->nodes.data[0].total);
	cp_buf_str(&b, ", ");
	cp_format_count(&b, s->flame->samples[fr->node]);
	cp_buf_str(&b, " samples");
	cp_out_add(s->out, cp_buf_text(&b), b.len);
	if (*n->detail != '\0') {
		cp_out_str(s->out, "\n");
		cp_svg_text(s->out, n->detail, 400);
	}
	cp_out_str(s->out, "</title></rect>");
	cp_buf_free(&b);
}

static void
put_label(const struct cp_svg *s, const struct cp_tree_node *n, double x,
    double y, double width)
{
	if (width < 3 * CHAR_WIDTH + 6)
		return;
	cp_out_str(s->out, "<text x=\"");
	cp_svg_px(s->out, x + 3);
	cp_out_str(s->out, "\" y=\"");
	cp_svg_px(s->out, y + 13);
	cp_out_str(s->out, "\">");
	cp_svg_text(s->out, n->name, (size_t)((width - 6) / CHAR_WIDTH));
	cp_out_str(s->out, "</text>");
}

static void
put_frame(const struct cp_svg *s, const struct cp_flame_frame *fr)
{
	const struct cp_tree_node *n = &s->flame->tree->nodes.data[fr->node];
	double all = (double)s->flame->tree->nodes.data[0].total;
	double inner = s->width - 2.0 * CP_SVG_MARGIN;
	double x = CP_SVG_MARGIN + (double)fr->start / all * inner;
	double width = (double)n->total / all * inner;
	uint32_t row = s->icicle ? fr->depth : s->flame->depth - fr->depth;
	double y = CP_SVG_HEAD + (double)row * CP_SVG_ROW;

	cp_out_printf(s->out, "<rect class=\"%c%u\" x=\"",
	    cp_palette_letter((enum cp_kind)n->kind),
	    cp_palette_shade(n->name));
	cp_svg_px(s->out, x);
	cp_out_str(s->out, "\" y=\"");
	cp_svg_px(s->out, y);
	cp_out_str(s->out, "\" width=\"");
	/* A gap between neighbours, where there is room for one. */
	cp_svg_px(s->out, width > 3 ? width - 0.7 : CP_MAX(width, 0.01));
	cp_out_printf(s->out, "\" height=\"%u\"", CP_SVG_ROW - 1);
	if (s->flame->frames.len <= MAX_TITLES)
		put_tooltip(s, fr);
	else
		cp_out_str(s->out, "/>");
	put_label(s, n, x, y, width);
	cp_out_char(s->out, '\n');
}

static void
put_foot(const struct cp_svg *s)
{
	const struct cp_flame *f = s->flame;
	struct cp_buf b;

	cp_buf_init(&b, 512);
	if (f->frames.len == 0) {
		cp_buf_str(&b, "nothing was recorded here");
	} else if (f->dropped != 0) {
		cp_format_count(&b, f->dropped);
		cp_buf_printf(&b, " frames below %.3g%% are not drawn (",
		    s->min_share * 100);
		cp_format_share(&b, (double)f->dropped_weight /
			(double)f->tree->nodes.data[0].total);
		cp_buf_str(&b, " of all weight)");
	}
	cp_out_printf(s->out,
	    "<g class=\"foot\"><text class=\"foot\" x=\"%u\" "
	    "y=\"%u\">%s</text></g>\n",
	    CP_SVG_MARGIN, s->height - 14, cp_buf_text(&b));
	cp_buf_free(&b);
}

void
cp_svg_picture(const struct cp_svg *s)
{
	cp_out_str(s->out,
	    "<rect class=\"bg\" width=\"100%\" height=\"100%\"/>\n"
	    "<g class=\"frames\">\n");
	for (size_t i = 0; i < s->flame->frames.len; i++)
		put_frame(s, &s->flame->frames.data[i]);
	cp_out_str(s->out, "</g>\n");
	put_head(s);
	put_foot(s);
}
