/* SPDX-License-Identifier: MIT */
/*
 * render/svg/picture.c: the frames of a flame graph, written out for any
 * viewer.
 */
#include "render/svg/draw.h"

#include "render/common/format.h"
#include "render/common/tree-value.h"
#include "render/svg/head.h"
#include "render/svg/palette.h"

/* Width of a character of the frames' font, 12 pixels high: 0.602 em. */
#define CHAR_WIDTH 7.23
/*
 * Up to this many frames are elements of their own, with a tooltip that needs
 * no script.  With more, those of a colour are one path: a browser takes far
 * longer to read the markup than to draw the picture.
 */
#define MAX_ELEMENTS 10000u

/* Of what is too narrow in a chart: after the colours of groups. */
#define NARROW_COLOR (CP_SVG_GROUPS * CP_PALETTE_SHADES)

struct box {
	double x, y, width; /* in the picture */
	double drawn;       /* width less the gap to the neighbour */
};

static void
put_tooltip(const struct cp_svg *s, const struct cp_flame_frame *fr)
{
	const struct cp_tree_node *n = &s->flame->tree->nodes.data[fr->node];
	struct cp_buf b;

	char value[40];

	cp_out_str(s->out, "><title>");
	cp_svg_text(s->out, cp_svg_name(n), 400);
	cp_buf_init(&b, 256);
	cp_out_char(s->out, '\n');
	cp_format_share(
	    &b, (double)n->total / (double)s->flame->tree->nodes.data[0].total);
	cp_buf_str(&b, ", ");
	cp_format_count(&b, s->flame->samples[fr->node]);
	cp_buf_printf(&b, " %s", s->flame->tree->samples);
	if (cp_node_value(s->flame->tree, n, value, sizeof(value)))
		cp_buf_printf(&b, ", %s %s", s->flame->tree->legend, value);
	cp_buf_str(&b, ", ");
	if (!cp_node_guess(&b, s->flame->tree, fr->node))
		b.len -= 2;
	cp_svg_text(s->out, cp_buf_text(&b), 400);
	cp_buf_reset(&b);
	cp_out_add(s->out, cp_buf_text(&b), b.len);
	if (*n->detail != '\0') {
		cp_out_str(s->out, "\n");
		cp_svg_text(s->out, n->detail, 400);
	}
	cp_out_str(s->out, "</title></rect>");
	cp_buf_free(&b);
}

static struct box
box_of(const struct cp_svg *s, const struct cp_flame_frame *fr)
{
	const struct cp_tree_node *node = s->flame->tree->nodes.data;
	double scale = (s->width - 2.0 * CP_SVG_MARGIN) / (double)node[0].total;
	uint32_t row = s->icicle ? fr->depth : s->flame->depth - fr->depth;
	struct box b = {
		.x = CP_SVG_MARGIN + (double)fr->start * scale,
		.y = s->head + (double)row * CP_SVG_ROW,
		.width = (double)node[fr->node].total * scale,
	};

	b.drawn = b.width > 3 ? b.width - 0.7 : CP_MAX(b.width, 0.01);
	return b;
}

static void
put_label(const struct cp_svg *s, const struct cp_flame_frame *fr,
    const struct box *b)
{
	if (b->width < 3 * CHAR_WIDTH + 6)
		return;
	cp_out_str(s->out, "<text x=\"");
	cp_svg_px(s->out, b->x + 3);
	cp_out_str(s->out, "\" y=\"");
	cp_svg_px(s->out, b->y + 13);
	cp_out_str(s->out, "\">");
	cp_svg_label(s, cp_svg_name(&s->flame->tree->nodes.data[fr->node]),
	    (size_t)((b->width - 6) / CHAR_WIDTH));
	cp_out_str(s->out, "</text>\n");
}

/* Returns the number of a frame's colour: by group and name, or by its value.
 */
static size_t
color_of(const struct cp_svg *s, const struct cp_flame_frame *fr)
{
	const struct cp_tree *t = s->flame->tree;
	const struct cp_tree_node *n = &t->nodes.data[fr->node];

	if (cp_tree_is_narrow(t, fr->node) != 0)
		return NARROW_COLOR;
	if (t->scale != CP_SCALE_NONE)
		return (size_t)(1 + cp_palette_step(cp_tree_shade(t, n)));
	return cp_svg_group(s->groups, n) * CP_PALETTE_SHADES +
	       cp_palette_shade(n->name);
}

static void
color_class(const struct cp_svg *s, size_t color, char out[8])
{
	if (color == NARROW_COLOR)
		snprintf(out, 8, "narrow");
	else if (s->flame->tree->scale == CP_SCALE_NONE)
		snprintf(out, 8, "%c%u",
		    cp_palette_letter(color / CP_PALETTE_SHADES),
		    (unsigned)(color % CP_PALETTE_SHADES));
	else if (color == 0)
		snprintf(out, 8, "vx");
	else
		snprintf(out, 8, "v%u", (unsigned)(color - 1) % 100);
}

static void
put_rect(const struct cp_svg *s, const struct cp_flame_frame *fr)
{
	struct box b = box_of(s, fr);
	char class[8];

	color_class(s, color_of(s, fr), class);
	cp_out_printf(s->out, "<rect class=\"%s%s%s\" x=\"", class,
	    cp_flame_few(s->flame, fr->node) ? " few" : "",
	    b.width > 5 && cp_node_guessed(s->flame->tree, fr->node) ? " guess"
								     : "");
	cp_svg_px(s->out, b.x);
	cp_out_str(s->out, "\" y=\"");
	cp_svg_px(s->out, b.y);
	cp_out_str(s->out, "\" width=\"");
	cp_svg_px(s->out, b.drawn);
	cp_out_printf(s->out, "\" height=\"%u\"", CP_SVG_ROW - 1);
	put_tooltip(s, fr);
	cp_out_char(s->out, '\n');
	put_label(s, fr, &b);
}

static void
put_in_path(const struct cp_svg *s, const struct cp_flame_frame *fr)
{
	struct box b = box_of(s, fr);

	cp_out_char(s->out, 'M');
	cp_svg_px(s->out, b.x);
	cp_out_char(s->out, ' ');
	cp_svg_px(s->out, b.y);
	cp_out_char(s->out, 'h');
	cp_svg_px(s->out, b.drawn);
	cp_out_printf(s->out, "v%uH", CP_SVG_ROW - 1);
	cp_svg_px(s->out, b.x);
	cp_out_str(s->out, "z\n");
}

/* One path for the frames of a colour, pale ones apart. */
static void
put_path(const struct cp_svg *s, const uint16_t *color, size_t c, bool few)
{
	const struct cp_flame_frame *fr = s->flame->frames.data;
	bool any = false;
	char class[8];

	color_class(s, c, class);
	for (size_t i = 0; i < s->flame->frames.len; i++) {
		if (color[i] != (c << 1 | few))
			continue;
		if (!any)
			cp_out_printf(s->out, "<path class=\"%s%s\" d=\"",
			    class, few ? " few" : "");
		any = true;
		put_in_path(s, &fr[i]);
	}
	cp_out_str(s->out, any ? "\"/>\n" : "");
}

static void
put_paths(const struct cp_svg *s)
{
	const struct cp_flame_frame *fr = s->flame->frames.data;
	size_t n = s->flame->frames.len;
	uint16_t *color = cp_xcalloc(n, sizeof(*color));
	bool used[2 * (NARROW_COLOR + 1)] = { false };

	for (size_t i = 0; i < n; i++) {
		color[i] = (uint16_t)(color_of(s, &fr[i]) << 1 |
				      cp_flame_few(s->flame, fr[i].node));
		used[color[i]] = true;
	}
	for (size_t c = 0; c < CP_ARRAY_LEN(used); c++)
		if (used[c])
			put_path(s, color, c >> 1, c & 1);
	free(color);
}

static void
put_frames(const struct cp_svg *s)
{
	const struct cp_flame *f = s->flame;

	if (f->frames.len > MAX_ELEMENTS)
		put_paths(s);
	for (size_t i = 0; i < f->frames.len; i++) {
		struct box b = box_of(s, &f->frames.data[i]);

		if (f->frames.len > MAX_ELEMENTS)
			put_label(s, &f->frames.data[i], &b);
		else
			put_rect(s, &f->frames.data[i]);
	}
}

static void
add_dropped(struct cp_buf *b, const struct cp_svg *s)
{
	const struct cp_flame *f = s->flame;
	double share =
	    (double)f->dropped_weight / (double)f->tree->nodes.data[0].total;

	cp_format_count(b, f->dropped);
	if (f->timed)
		cp_buf_printf(b, " narrow frame%s %s drawn as one with ",
		    f->dropped != 1 ? "s" : "", f->dropped != 1 ? "are" : "is");
	if (f->timed)
		cp_buf_str(b, "neighbours (");
	else
		cp_buf_printf(b, " frame%s below %.2g%% %s not drawn (",
		    f->dropped != 1 ? "s" : "", s->min_share * 100,
		    f->dropped != 1 ? "are" : "is");
	if (share < 0.0001)
		cp_buf_str(b, "less than 0.01%");
	else
		cp_format_share(b, share);
	cp_buf_str(b, " of all)");
}

static void
put_foot(const struct cp_svg *s)
{
	struct cp_buf b;

	cp_buf_init(&b, 512);
	if (s->flame->frames.len == 0)
		cp_buf_str(&b, "There are no samples.");
	else if (s->flame->dropped != 0)
		add_dropped(&b, s);
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
	put_frames(s);
	cp_out_str(s->out, "</g>\n");
	cp_svg_head(s);
	put_foot(s);
}
