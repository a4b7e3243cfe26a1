/* SPDX-License-Identifier: MIT */
#include "render/svg/head.h"

#include "render/common/escape.h"
#include "render/common/format.h"
#include "render/svg/legend.h"

/* Of the title's font, 16 pixels high. */
#define TITLE_CHAR_WIDTH 9.2
/* Of the facts' font, 12 pixels high; few texts are wider. */
#define CHAR_WIDTH 7.0

enum {
	LINE = 16,        /* pixels */
	MAX_FACT = 300,   /* columns */
	MAX_LABEL = 1500, /* its flaws must not be lost */
};

/* The facts, one after the other, in as many lines as they need. */
struct facts {
	struct cp_svg *svg;
	struct cp_out out;
	size_t room;  /* columns of a line */
	size_t taken; /* of the last line */
};

/* What follows in the element begins the next line. */
static void
put_break(struct facts *f)
{
	f->svg->head += LINE;
	f->taken = 0;
	cp_out_printf(&f->out, " x=\"%u\" y=\"%u\"", CP_SVG_MARGIN,
	    f->svg->head - CP_SVG_HEAD + 50);
}

/* Returns how many bytes of the text a line takes, if it can, whole words. */
static size_t
part_of(const char *text, size_t columns)
{
	size_t n = cp_text_fit(text, columns), words = n;

	while (words != 0 && text[n] != '\0' && text[words - 1] != ' ')
		words--;
	return words != 0 ? words : n;
}

static void
put_escaped(struct facts *f, const char *text, size_t n)
{
	struct cp_buf part, b;

	cp_buf_init(&part, SIZE_MAX / 2);
	cp_buf_init(&b, SIZE_MAX / 2);
	cp_buf_add(&part, text, n);
	cp_escape(&b, CP_ESCAPE_XML, cp_buf_text(&part));
	cp_out_add(&f->out, cp_buf_text(&b), b.len);
	f->taken += cp_text_columns(cp_buf_text(&part));
	cp_buf_free(&part);
	cp_buf_free(&b);
}

/* What is too long for a line goes on in the next. */
static void
put_item(struct facts *f, const char *text)
{
	size_t n = cp_text_columns(text) > f->room ? part_of(text, f->room)
						   : strlen(text);

	cp_out_str(&f->out, "<tspan class=\"item\"");
	if (f->taken != 0 && f->taken + cp_text_columns(text) > f->room)
		put_break(f);
	cp_out_char(&f->out, '>');
	put_escaped(f, text, n);
	for (text += n; *text != '\0'; text += n) {
		n = part_of(text, f->room);
		cp_out_str(&f->out, "<tspan");
		put_break(f);
		cp_out_char(&f->out, '>');
		put_escaped(f, text, n);
		cp_out_str(&f->out, "</tspan>");
	}
	cp_out_str(&f->out, "</tspan>");
}

static void
put_fact(struct facts *f, const char *key, struct cp_buf *value, size_t most)
{
	struct cp_buf seen;

	if (value->len == 0)
		return;
	cp_buf_init(&seen, SIZE_MAX / 2);
	cp_buf_str(&seen, key);
	cp_escape_terminal(&seen, cp_buf_text(value));
	if (cp_text_columns(cp_buf_text(&seen)) > most) {
		seen.len = cp_text_fit(seen.data, most - 1);
		cp_buf_str(&seen, "…");
	}
	put_item(f, cp_buf_text(&seen));
	cp_buf_free(&seen);
	cp_buf_reset(value);
}

static void
put_gap(struct facts *f)
{
	cp_out_str(&f->out, "  ·  ");
	f->taken += 4;
}

static void
put_totals(struct facts *f, struct cp_buf *b)
{
	const struct cp_svg *s = f->svg;
	const struct cp_tree *t = s->flame->tree;
	const char *unit = cp_tree_unit_name(s->report, t);
	struct cp_value total = { .u64 = t->nodes.data[0].total };

	if (strcmp(unit, "samples") != 0) {
		put_gap(f);
		cp_escape_terminal(b, unit);
		cp_buf_char(b, ' ');
		cp_format_value(b, cp_tree_unit_type(s->report, t), &total);
		put_fact(f, "", b, MAX_FACT);
	}
	if (s->flame->samples != NULL && s->flame->samples[0] != 0) {
		put_gap(f);
		total.u64 = s->flame->samples[0];
		cp_format_unit(b, CP_COL_COUNT, &total, t->samples);
		put_fact(f, "", b, MAX_FACT);
	}
}

/* What is drawn.  A tree of samples has its event's name, which the label has.
 */
static void
put_type(struct facts *f, struct cp_buf *b)
{
	const struct cp_svg *s = f->svg;
	const char *title = s->section->title;

	if (s->flame != NULL) {
		cp_buf_str(b, s->flame->timed ? "flame chart"
					      : (s->icicle ? "icicle graph"
							   : "flame graph"));
		put_fact(f, "", b, MAX_FACT);
		put_gap(f);
	}
	if (*s->report->label == '\0' || strcmp(title, s->report->event) == 0)
		return;
	cp_buf_str(b, title);
	put_fact(f, "", b, MAX_FACT);
	put_gap(f);
}

static void
put_facts(struct facts *f)
{
	const struct cp_svg *s = f->svg;
	struct cp_buf b;

	cp_buf_init(&b, SIZE_MAX / 2);
	if (s->subtitle != NULL) {
		cp_buf_str(&b, s->subtitle);
		put_fact(f, "", &b, MAX_FACT);
		put_gap(f);
	}
	put_type(f, &b);
	cp_buf_str(&b,
	    *s->report->label != '\0' ? s->report->label : s->section->title);
	put_fact(f,
	    s->flame != NULL && s->flame->tree->compared ? "after: " : "", &b,
	    MAX_LABEL);
	if (*s->report->label == '\0' && *s->report->event != '\0') {
		put_gap(f);
		cp_buf_str(&b, s->report->event);
		put_fact(f, "event ", &b, MAX_FACT);
	}
	if (s->flame != NULL)
		put_totals(f, &b);
	if (s->tool != NULL) {
		put_gap(f);
		cp_buf_str(&b, s->tool);
		put_fact(f, "", &b, MAX_FACT);
	}
	cp_buf_free(&b);
}

void
cp_svg_head_init(struct cp_svg *s)
{
	struct facts f = { .svg = s };

	f.room = (size_t)((s->width - 2 * CP_SVG_MARGIN) / CHAR_WIDTH);
	cp_out_init(&f.out, cp_out_to_buf, s->facts);
	s->head = CP_SVG_HEAD;
	put_facts(&f);
	/* Memory of this size cannot fail. */
	(void)!cp_out_end(&f.out);
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
	cp_out_printf(
	    s->out, "<text class=\"fact\" x=\"%u\" y=\"50\">", CP_SVG_MARGIN);
	cp_out_add(s->out, cp_buf_text(s->facts), s->facts->len);
	cp_out_str(s->out, "</text>\n");
	cp_svg_legend(s);
	cp_out_str(s->out, "</g>\n");
}
