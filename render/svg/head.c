/* SPDX-License-Identifier: MIT */
#include "render/svg/head.h"

#include "render/common/escape.h"
#include "render/common/format.h"
#include "render/svg/legend.h"

/* Of the title's font, 16 pixels high. */
#define TITLE_CHAR_WIDTH 9.2

static void
put_fact(const struct cp_svg *s, const char *key, struct cp_buf *value)
{
	if (value->len != 0) {
		cp_out_str(s->out, "<tspan class=\"item\">");
		cp_svg_text(s->out, key, 40);
		cp_svg_text(s->out, cp_buf_text(value), 300);
		cp_out_str(s->out, "</tspan>");
		cp_buf_reset(value);
	}
}

static void
put_gap(const struct cp_svg *s)
{
	cp_out_str(s->out, "  ·  ");
}

static void
put_totals(const struct cp_svg *s, struct cp_buf *b)
{
	const struct cp_tree *t = s->flame->tree;
	const char *unit = cp_tree_unit_name(s->report, t);
	struct cp_value total = { .u64 = t->nodes.data[0].total };

	if (strcmp(unit, "samples") != 0) {
		put_gap(s);
		cp_escape_terminal(b, unit);
		cp_buf_char(b, ' ');
		cp_format_value(b, cp_tree_unit_type(s->report, t), &total);
		put_fact(s, "", b);
	}
	if (s->flame->samples != NULL && s->flame->samples[0] != 0) {
		put_gap(s);
		total.u64 = s->flame->samples[0];
		cp_format_unit(b, CP_COL_COUNT, &total, t->samples);
		put_fact(s, "", b);
	}
}

/* What is drawn.  A tree of samples has its event's name, which the label has.
 */
static void
put_type(const struct cp_svg *s, struct cp_buf *b)
{
	const char *title = s->section->title;

	if (s->flame != NULL) {
		cp_buf_str(b, s->icicle ? "icicle graph" : "flame graph");
		put_fact(s, "", b);
		put_gap(s);
	}
	if (*s->report->label == '\0' || strcmp(title, s->report->event) == 0)
		return;
	cp_buf_str(b, title);
	put_fact(s, "", b);
	put_gap(s);
}

static void
put_facts(const struct cp_svg *s)
{
	struct cp_buf b;

	cp_buf_init(&b, 4096);
	cp_out_printf(
	    s->out, "<text class=\"fact\" x=\"%u\" y=\"50\">", CP_SVG_MARGIN);
	if (s->subtitle != NULL) {
		cp_buf_str(&b, s->subtitle);
		put_fact(s, "", &b);
		put_gap(s);
	}
	put_type(s, &b);
	cp_buf_str(&b,
	    *s->report->label != '\0' ? s->report->label : s->section->title);
	put_fact(s,
	    s->flame != NULL && s->flame->tree->compared ? "after: " : "", &b);
	if (*s->report->label == '\0' && *s->report->event != '\0') {
		put_gap(s);
		cp_buf_str(&b, s->report->event);
		put_fact(s, "event ", &b);
	}
	if (s->flame != NULL)
		put_totals(s, &b);
	if (s->tool != NULL) {
		put_gap(s);
		cp_buf_str(&b, s->tool);
		put_fact(s, "", &b);
	}
	cp_out_str(s->out, "</text>\n");
	cp_buf_free(&b);
}

void
cp_svg_head(const struct cp_svg *s)
{
	const char *title = s->report->title;

	cp_out_str(s->out, "<g class=\"head\">");
	cp_out_printf(
	    s->out, "<text class=\"title\" x=\"%u\" y=\"28\">", CP_SVG_MARGIN);
	cp_svg_text(s->out, *title != '\0' ? title : s->section->title,
	    (size_t)((s->width - 2 * CP_SVG_MARGIN) / TITLE_CHAR_WIDTH));
	cp_out_str(s->out, "</text>\n");
	put_facts(s);
	cp_svg_legend(s);
	cp_out_str(s->out, "</g>\n");
}
