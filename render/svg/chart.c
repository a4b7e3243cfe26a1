/* SPDX-License-Identifier: MIT */
/*
 * render/svg/chart.c: histograms, heat maps and lanes, written out for any
 * viewer.
 *
 * All cells or spans of one colour are one path.  Those narrower than a pixel
 * share one: cells are added up; of spans, the kind that fills most of the
 * pixel is drawn.  The script draws the same for its window.
 */
#include "render/svg/chart.h"

#include <math.h>

#include "base/limits.h"
#include "render/common/escape.h"
#include "render/common/format.h"
#include "render/svg/head.h"
#include "render/svg/legend.h"

#define BIN_HEIGHT 20u
#define LANE_HEIGHT 18u
#define CHAR 7.4   /* width of a character of a label, in wide fonts */
#define LABELS 30u /* characters */

struct plot {
	const struct cp_svg *svg;
	double x, y, width, height; /* of the picture without its labels */
};

static unsigned
grid_rows(const struct cp_grid *g)
{
	return CP_MIN(CP_MAX(g->y.count, 1u), 400u);
}

static unsigned
cell_height(const struct cp_grid *g)
{
	unsigned h = 500 / grid_rows(g);

	return CP_MAX(CP_MIN(h, 22u), 2u);
}

/* Returns the lanes drawn; a line at the bottom counts the others. */
static unsigned
lanes_drawn(const struct cp_lanes *l)
{
	return (unsigned)CP_MIN(l->lanes.len, (size_t)CP_MAX_SVG_LANES);
}

unsigned
cp_svg_chart_height(const struct cp_svg *s)
{
	const struct cp_section *sec = s->section;
	unsigned h = 40; /* the axis below */

	if (sec->type == CP_SECTION_GRID)
		h += cell_height(&sec->grid) * grid_rows(&sec->grid);
	else if (sec->type == CP_SECTION_LANES)
		h += LANE_HEIGHT * lanes_drawn(&sec->lanes);
	else
		h += BIN_HEIGHT *
		     (unsigned)CP_MIN(sec->histogram.bins.len, (size_t)1000);
	return s->head + h + CP_SVG_FOOT;
}

/* ------------------------------------------------------------------ parts */

static void
put_text(const struct plot *p, double x, double y, const char *class,
    const char *anchor, const char *text)
{
	struct cp_out *out = p->svg->out;

	cp_out_printf(
	    out, "<text class=\"%s\" text-anchor=\"%s\" x=\"", class, anchor);
	cp_svg_px(out, x);
	cp_out_str(out, "\" y=\"");
	cp_svg_px(out, y);
	cp_out_str(out, "\">");
	cp_svg_text(out, text, LABELS);
	cp_out_str(out, "</text>\n");
}

static void
put_box(struct cp_out *out, double x, double y, double w, double h)
{
	cp_out_char(out, 'M');
	cp_svg_px(out, x);
	cp_out_char(out, ' ');
	cp_svg_px(out, y);
	cp_out_char(out, 'h');
	cp_svg_px(out, w);
	cp_out_char(out, 'v');
	cp_svg_px(out, h);
	cp_out_char(out, 'H');
	cp_svg_px(out, x);
	cp_out_str(out, "z\n");
}

static void
axis_label(
    const struct plot *p, const struct cp_axis *a, uint32_t i, struct cp_buf *b)
{
	cp_buf_reset(b);
	if (a->labels != NULL)
		cp_buf_str(b, a->labels[i]);
	else
		cp_format_edge(b, p->svg->report, a, i);
}

/* Leaves room at the left for labels of that many characters. */
static void
plot_init(struct plot *p, const struct cp_svg *s, size_t columns)
{
	double left =
	    CP_SVG_MARGIN + 6 + (double)CP_MIN(columns, (size_t)LABELS) * CHAR;

	*p = (struct plot){ .svg = s,
		.x = left,
		.y = s->head,
		.width = s->width - CP_SVG_MARGIN - left };
	p->height = s->height - s->head - CP_SVG_FOOT - 40.0;
}

/* ------------------------------------------------------------------- grid */

static void
put_heat(
    const struct plot *p, const struct cp_blocks *h, bool down, unsigned step)
{
	double w = p->width / h->columns, row = p->height / h->rows;
	struct cp_out *out = p->svg->out;
	bool any = false;

	for (size_t i = 0; i < (size_t)h->columns * h->rows; i++) {
		uint32_t x = (uint32_t)(i / h->rows);
		uint32_t y = (uint32_t)(i % h->rows);

		if (h->value[i] == 0 ||
		    cp_svg_heat(h->value[i], h->most) != step)
			continue;
		if (!any)
			cp_out_printf(out, "<path class=\"q%u\" d=\"", step);
		any = true;
		put_box(out, p->x + x * w,
		    p->y + (down ? y : h->rows - 1 - y) * row,
		    w > 3 ? w - 0.5 : w, row > 3 ? row - 0.5 : row);
	}
	cp_out_str(out, any ? "\"/>\n" : "");
}

static void
grid_labels(const struct plot *p, const struct cp_grid *g, struct cp_buf *b)
{
	uint32_t every_y = g->y.count / 25 + 1;
	uint32_t every_x = (uint32_t)CP_MAX(g->x.count * 90.0 / p->width, 1.0);
	double h = p->height / g->y.count, w = p->width / g->x.count;

	for (uint64_t i = 0; i < g->y.count; i += every_y) {
		bool down = g->y.labels != NULL;

		axis_label(p, &g->y, (uint32_t)i, b);
		put_text(p, p->x - 6,
		    p->y +
			(down ? (double)i + 0.5 : (double)(g->y.count - i)) *
			    h +
			(down ? 4 : 0),
		    "key", "end", cp_buf_text(b));
	}
	for (uint64_t i = 0; i < g->x.count; i += every_x) {
		axis_label(p, &g->x, (uint32_t)i, b);
		if ((double)i * w + (double)b->len * CHAR >
		    p->width + CP_SVG_MARGIN)
			break;
		put_text(p, p->x + (double)i * w, p->y + p->height + 16, "key",
		    "start", cp_buf_text(b));
	}
}

static size_t
axis_columns(const struct cp_svg *s, const struct cp_axis *a)
{
	const struct plot p = { .svg = s };
	size_t columns = 0;
	struct cp_buf b;

	cp_buf_init(&b, SIZE_MAX / 2);
	for (uint32_t i = 0; i < CP_MIN(a->count, 1000u); i++) {
		axis_label(&p, a, i, &b);
		columns = CP_MAX(columns, cp_text_columns(cp_buf_text(&b)));
	}
	cp_buf_free(&b);
	return columns;
}

/* Returns the cells as drawn: those narrower than a pixel are merged. */
static struct cp_blocks
drawn_cells(const struct plot *p)
{
	const struct cp_grid *g = &p->svg->section->grid;

	return cp_grid_blocks(g,
	    (g->x.count - 1) / (uint32_t)CP_MAX(p->width, 100.0) + 1,
	    (g->y.count - 1) / grid_rows(g) + 1);
}

uint64_t
cp_svg_grid_most(const struct cp_svg *s)
{
	const struct cp_grid *g = &s->section->grid;
	struct cp_blocks h;
	struct plot p;

	if (g->cells.len == 0)
		return 0;
	plot_init(&p, s, axis_columns(s, &g->y));
	h = drawn_cells(&p);
	free(h.value);
	return h.most;
}

static void
put_grid(const struct cp_svg *s)
{
	const struct cp_grid *g = &s->section->grid;
	struct plot p;
	struct cp_blocks h;
	struct cp_buf b;

	if (g->cells.len == 0)
		return;
	plot_init(&p, s, axis_columns(s, &g->y));
	h = drawn_cells(&p);
	cp_buf_init(&b, SIZE_MAX / 2);
	for (unsigned step = 1; step <= CP_SVG_HEATS; step++)
		put_heat(&p, &h, g->y.labels != NULL, step);
	grid_labels(&p, g, &b);
	free(h.value);
	cp_buf_free(&b);
}

/* -------------------------------------------------------------- histogram */

static void
put_bin(const struct plot *p, const struct cp_bin *bin, double y, uint64_t most,
    struct cp_buf *b)
{
	const struct cp_histogram *h = &p->svg->section->histogram;
	double w = (p->width - 110) * (double)bin->count / (double)most;

	cp_buf_reset(b);
	cp_format_axis(b, p->svg->report, h->type, bin->lo);
	put_text(p, p->x - 6, y + 14, "key", "end", cp_buf_text(b));
	cp_out_str(p->svg->out, "<path class=\"bar2\" d=\"");
	if (bin->count != 0)
		put_box(
		    p->svg->out, p->x, y + 2, CP_MAX(w, 1.0), BIN_HEIGHT - 4);
	cp_out_str(p->svg->out, "\"/>\n");
	cp_buf_reset(b);
	cp_format_count(b, bin->count);
	put_text(p, p->x + w + 6, y + 14, "name", "start", cp_buf_text(b));
}

static void
put_histogram(const struct cp_svg *s)
{
	const struct cp_histogram *h = &s->section->histogram;
	size_t n = CP_MIN(h->bins.len, (size_t)1000), columns = 0;
	uint64_t most = 1;
	struct plot p;
	struct cp_buf b;

	cp_buf_init(&b, SIZE_MAX / 2);
	for (size_t i = 0; i < n; i++) {
		most = CP_MAX(most, h->bins.data[i].count);
		cp_buf_reset(&b);
		cp_format_axis(&b, s->report, h->type, h->bins.data[i].lo);
		columns = CP_MAX(columns, cp_text_columns(cp_buf_text(&b)));
	}
	plot_init(&p, s, columns);
	for (size_t i = 0; i < n; i++)
		put_bin(&p, &h->bins.data[i], p.y + (double)(i * BIN_HEIGHT),
		    most, &b);
	cp_buf_free(&b);
}

/* ------------------------------------------------------------------ lanes */

struct strip {
	const struct cp_lanes *lanes;
	uint64_t from;
	double scale;     /* pixels per ns */
	uint32_t columns; /* of a pixel */
	double *share;    /* of a pixel's time: column * kinds + kind */
};

static void
strip_add(struct strip *s, const struct cp_lane_span *span)
{
	double a = (double)(span->start - s->from) * s->scale;
	double b = (double)(span->end - s->from) * s->scale;
	uint32_t last = (uint32_t)CP_MIN(b, (double)(s->columns - 1));

	for (uint32_t c = (uint32_t)a; c <= last; c++) {
		double part = fmin(b, c + 1.0) - fmax(a, c);

		s->share[(size_t)c * s->lanes->kinds.len + span->kind] +=
		    (part > 0 ? part : 0) * (double)span->level + 1e-9;
	}
}

/* Finds the main kind of a column, and its part; kinds.len: none. */
static size_t
strip_kind(const struct strip *s, uint32_t c, double *part)
{
	size_t kinds = s->lanes->kinds.len, best = kinds;

	*part = 0;
	for (size_t k = 0; k < kinds; k++)
		if (s->share[c * kinds + k] > *part) {
			*part = s->share[c * kinds + k];
			best = k;
		}
	return best;
}

static void
put_strip(const struct plot *p, const struct strip *s, double y, size_t kind)
{
	struct cp_out *out = p->svg->out;

	for (uint32_t c = 0, end; c < s->columns; c = end) {
		double part, next;
		size_t k = strip_kind(s, c, &part);
		double h = (LANE_HEIGHT - 3) * CP_MAX(CP_MIN(part, 1.0), 0.12);

		end = c + 1;
		if (k != kind)
			continue;
		while (end < s->columns && strip_kind(s, end, &next) == k &&
		       fabs(next - part) < 0.05)
			end++;
		put_box(out, p->x + c, y + LANE_HEIGHT - 2 - h, end - c, h);
	}
}

static void
put_lane(const struct plot *p, struct strip *s, size_t lane, size_t *span)
{
	const struct cp_lanes *l = s->lanes;
	double y = p->y + (double)lane * LANE_HEIGHT;

	put_text(p, p->x - 6, y + 13, "name", "end", l->lanes.data[lane]);
	for (; *span < l->spans.len && l->spans.data[*span].lane == lane;
	     ++*span)
		strip_add(s, &l->spans.data[*span]);
	for (size_t k = 0; k < l->kinds.len; k++) {
		cp_out_printf(p->svg->out, "<path class=\"%s\" d=\"",
		    cp_svg_kind_class(l, k));
		put_strip(p, s, y, k);
		cp_out_str(p->svg->out, "\"/>\n");
	}
	memset(
	    s->share, 0, (size_t)s->columns * l->kinds.len * sizeof(*s->share));
}

static void
put_times(const struct plot *p, uint64_t from, uint64_t to)
{
	struct cp_buf b;

	cp_buf_init(&b, SIZE_MAX / 2);
	for (unsigned i = 0; i < 5; i++) {
		cp_buf_reset(&b);
		cp_format_axis(&b, p->svg->report, CP_COL_CLOCK,
		    from + (to - from) / 4 * i);
		put_text(p, p->x + p->width / 4 * i, p->y + p->height + 16,
		    "key",
		    i == 0   ? "start"
		    : i == 4 ? "end"
			     : "middle",
		    cp_buf_text(&b));
	}
	cp_buf_free(&b);
}

static void
put_lanes(const struct cp_svg *s)
{
	const struct cp_lanes *l = &s->section->lanes;
	struct strip strip = { .lanes = l, .from = UINT64_MAX };
	size_t columns = 0, span = 0;
	uint64_t to = 0;
	struct plot p;

	if (l->spans.len == 0)
		return;
	for (size_t i = 0; i < l->lanes.len; i++)
		columns = CP_MAX(columns, cp_text_columns(l->lanes.data[i]));
	for (size_t i = 0; i < l->spans.len; i++) {
		strip.from = CP_MIN(strip.from, l->spans.data[i].start);
		to = CP_MAX(to, l->spans.data[i].end);
	}
	plot_init(&p, s, columns);
	strip.columns = (uint32_t)CP_MAX(p.width, 1.0);
	strip.scale = strip.columns / (double)CP_MAX(to - strip.from, 1u);
	strip.share = cp_xcalloc(
	    (size_t)strip.columns * l->kinds.len, sizeof(*strip.share));
	for (size_t i = 0; i < lanes_drawn(l); i++)
		put_lane(&p, &strip, i, &span);
	put_times(&p, strip.from, to);
	free(strip.share);
}

/* -------------------------------------------------------------------- all */

static void
put_foot(const struct cp_svg *s)
{
	const struct cp_section *sec = s->section;
	char text[96] = "";

	if ((sec->type == CP_SECTION_GRID && sec->grid.cells.len == 0) ||
	    (sec->type == CP_SECTION_LANES && sec->lanes.spans.len == 0) ||
	    (sec->type == CP_SECTION_HISTOGRAM && sec->histogram.bins.len == 0))
		snprintf(text, sizeof(text), "There is nothing to show.");
	else if (sec->type == CP_SECTION_LANES &&
		 sec->lanes.lanes.len > lanes_drawn(&sec->lanes))
		snprintf(text, sizeof(text), "%zu more lanes are not drawn.",
		    sec->lanes.lanes.len - lanes_drawn(&sec->lanes));
	cp_out_printf(s->out,
	    "<g class=\"foot\"><text class=\"foot\" x=\"%u\" "
	    "y=\"%u\">%s</text></g>\n",
	    CP_SVG_MARGIN, s->height - 14, text);
}

void
cp_svg_chart(const struct cp_svg *s)
{
	cp_out_str(s->out,
	    "<rect class=\"bg\" width=\"100%\" height=\"100%\"/>\n"
	    "<g class=\"plot\">\n");
	if (s->section->type == CP_SECTION_GRID)
		put_grid(s);
	else if (s->section->type == CP_SECTION_LANES)
		put_lanes(s);
	else
		put_histogram(s);
	cp_out_str(s->out, "</g>\n");
	cp_svg_head(s);
	put_foot(s);
}
