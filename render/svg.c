/* SPDX-License-Identifier: MIT */
/*
 * svg: the flame graph of a report's first tree, in one file that needs no
 * other.
 *
 * The picture is complete without scripts: geometry, texts and colours are
 * written out.  A viewer with scripts runs flame.js, which reads the frames
 * from a block of JSON and lays them out anew for its window.  Frames
 * narrower than the smallest share are left out and the picture says how
 * many.  Scalars and notes of the report go into its description.
 */
#include "base/limits.h"
#include "render/escape.h"
#include "render/flame.h"
#include "render/format.h"
#include "render/palette.h"
#include "render/svg.h"
#include "render/text.h"

static const char *const flame_css[] = {
#include "render/flame.css.inc"
};
static const char *const flame_js[] = {
#include "render/flame.js.inc"
};

static void
put_lines(struct cp_out *out, const char *const *line, size_t n)
{
	for (size_t i = 0; i < n; i++)
		cp_out_str(out, line[i]);
}

void
cp_svg_text(struct cp_out *out, const char *text, size_t columns)
{
	struct cp_buf seen, b;

	cp_buf_init(&seen, SIZE_MAX / 2);
	cp_buf_init(&b, SIZE_MAX / 2);
	cp_escape_terminal(&seen, text);
	if (cp_text_columns(cp_buf_text(&seen)) > columns) {
		seen.len = cp_text_fit(seen.data, columns - 1);
		cp_buf_str(&seen, "…");
	}
	cp_escape(&b, CP_ESCAPE_XML, cp_buf_text(&seen));
	cp_out_add(out, cp_buf_text(&b), b.len);
	cp_buf_free(&seen);
	cp_buf_free(&b);
}

/* Hundredths of a pixel are enough; "12.50" is written as "12.5". */
void
cp_svg_px(struct cp_out *out, double v)
{
	char text[40];
	int n = snprintf(text, sizeof(text), "%.2f", v);

	while (n > 1 && text[n - 1] == '0')
		n--;
	if (text[n - 1] == '.')
		n--;
	cp_out_add(out, text, (size_t)n);
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
		cp_text_value(
		    &b, s->scalars.data[i].type, &s->scalars.data[i].value);
		cp_svg_text(out, cp_buf_text(&b), CP_MAX_SVG_TEXT);
		cp_out_char(out, '\n');
	}
	cp_buf_free(&b);
}

/* What else the report knows, as text. */
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
put_style(struct cp_out *out, const char *palette)
{
	cp_out_str(out, "<style><![CDATA[\n");
	cp_palette_css(out, palette);
	put_lines(out, flame_css, CP_ARRAY_LEN(flame_css));
	cp_out_str(out, "]]></style>\n");
}

static void
put_open(const struct cp_svg *s)
{
	const struct cp_flame *f = s->flame;
	double all = (double)f->tree->nodes.data[0].total;

	cp_out_printf(s->out,
	    "<svg xmlns=\"http://www.w3.org/2000/svg\" "
	    "class=\"coldperf-flame%s\" width=\"%u\" height=\"%u\" "
	    "viewBox=\"0 0 %u %u\" role=\"graphics-document document\" "
	    "aria-roledescription=\"flame graph\" data-frames=\"%zu\" "
	    "data-dropped=\"%" PRIu64 "\" data-dropped-share=\"%.6g\">\n",
	    s->icicle ? " icicle" : "", s->width, s->height, s->width,
	    s->height, f->frames.len, f->dropped,
	    all > 0 ? (double)f->dropped_weight / all : 0);
}

void
cp_svg_tree(const struct cp_report *r, const struct cp_section *section,
    const struct cp_render_options *opt, struct cp_out *out, bool alone)
{
	struct cp_flame f;
	struct cp_svg s = { .report = r, .section = section, .flame = &f,
		.out = out, .icicle = opt->icicle, .tool = opt->tool };

	s.width = opt->width >= 200 ? opt->width : CP_SVG_WIDTH;
	s.min_share = opt->min_share > 0 ? opt->min_share : 0.1 / s.width;
	cp_flame_init(&f, &section->tree, s.min_share);
	s.height = CP_SVG_HEAD + (f.depth + 1) * CP_SVG_ROW + CP_SVG_FOOT;
	put_open(&s);
	cp_out_str(out, "<title>");
	cp_svg_text(out, alone && *r->title != '\0' ? r->title
						    : section->title,
	    CP_MAX_SVG_TEXT);
	cp_out_str(out, "</title>\n");
	if (alone)
		put_description(r, out);
	else
		cp_out_str(out, "<desc></desc>\n");
	put_style(out, opt->palette);
	cp_svg_picture(&s);
	cp_svg_data(&s);
	cp_out_str(out, "<script><![CDATA[\n");
	put_lines(out, flame_js, CP_ARRAY_LEN(flame_js));
	cp_out_str(out, "]]></script>\n</svg>\n");
	cp_flame_free(&f);
}

static void
svg_write(const struct cp_report *r, const struct cp_render_options *opt,
    struct cp_out *out, struct cp_left *left)
{
	const struct cp_section *tree = NULL;

	for (const struct cp_section *s = r->first; s != NULL; s = s->next) {
		if (s->type == CP_SECTION_TREE && tree == NULL)
			tree = s;
		else if (s->type == CP_SECTION_TREE ||
		    s->type == CP_SECTION_TABLE)
			cp_left_add(left, s);
	}
	if (tree == NULL)
		return;
	cp_out_str(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	cp_svg_tree(r, tree, opt, out, true);
}

const struct cp_renderer cp_renderer_svg = {
	.name = "svg",
	.suffix = ".svg",
	.shows = CP_SHOWS(CP_SECTION_TREE),
	.write = svg_write,
};
