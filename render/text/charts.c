/* SPDX-License-Identifier: MIT */
/*
 * render/text/charts.c: histograms as bars, grids as characters of growing
 * weight.
 *
 * A line has as many characters as the width allows; values of one character
 * are added up.  Grids are scaled by the square root, so that small values are
 * visible next to large ones, and a value above 0 is never blank.
 */
#include "render/text/charts.h"

#include <math.h>

#include "render/common/escape.h"
#include "render/common/format.h"
#include "render/text/style.h"

#define MAX_ROWS 25u
#define BAR 40u
#define NUMBERS 41u /* columns of a histogram's numbers and blanks */

static const char *const shade[] = { " ", "·", "░", "▒", "▓", "█" };

/* ------------------------------------------------------------- histogram */

static void
bin_text(struct cp_buf *b, const struct cp_report *r,
    const struct cp_histogram *h, const struct cp_bin *bin)
{
	cp_buf_reset(b);
	cp_format_axis(b, r, h->type, bin->lo);
	if (bin->hi > bin->lo && bin->hi - bin->lo == 1 &&
	    h->type == CP_COL_COUNT)
		return; /* one value */
	cp_buf_str(b, " – ");
	if (bin->hi != UINT64_MAX)
		cp_format_axis(b, r, h->type, bin->hi);
}

/* Draws in eighths of a block. */
static void
put_bar(struct cp_out *out, double share, unsigned width)
{
	static const char *const part[] = { "", "▏", "▎", "▍", "▌", "▋", "▊",
		"▉" };
	unsigned eighths = (unsigned)lround(share * width * 8);

	if (eighths == 0 && share > 0)
		eighths = 1;
	for (unsigned i = 0; i < eighths / 8; i++)
		cp_out_str(out, "█");
	cp_out_str(out, part[eighths % 8]);
}

static unsigned
bar_room(const struct cp_render_options *opt, size_t taken)
{
	if (opt->width == 0 || opt->width > taken + BAR)
		return BAR;
	return opt->width > taken + 5 ? opt->width - (unsigned)taken : 5;
}

struct histogram {
	size_t name_width;
	unsigned bar; /* the longest */
	uint64_t most, all;
};

static struct histogram
histogram_measure(
    const struct cp_report *r, const struct cp_histogram *h, struct cp_buf *b)
{
	struct histogram m = { .name_width = cp_text_columns(h->name) };

	for (size_t i = 0; i < h->bins.len; i++) {
		bin_text(b, r, h, &h->bins.data[i]);
		m.name_width =
		    CP_MAX(m.name_width, cp_text_columns(cp_buf_text(b)));
		m.most = CP_MAX(m.most, h->bins.data[i].count);
		m.all += h->bins.data[i].count;
	}
	return m;
}

static void
put_bin(const struct cp_histogram *h, const struct histogram *m,
    const struct cp_bin *bin, struct cp_out *out, struct cp_buf *b)
{
	cp_buf_reset(b);
	cp_format_count(b, bin->count);
	cp_text_right(out, b, 14);
	cp_buf_reset(b);
	cp_format_share(
	    b, m->all != 0 ? (double)bin->count / (double)m->all : 0);
	cp_text_right(out, b, 9);
	if (h->unit != NULL) {
		struct cp_value v = { .u64 = bin->weight };

		cp_buf_reset(b);
		cp_format_value(b, h->unit_type, &v);
		cp_text_right(out, b, 14);
	}
	if (bin->count != 0) {
		cp_out_str(out, "  ");
		put_bar(out, (double)bin->count / (double)m->most, m->bar);
	}
	cp_out_char(out, '\n');
}

/* Returns how many bins are empty from bin i on. */
static size_t
empty_bins(const struct cp_histogram *h, size_t i)
{
	size_t n = 0;

	while (i + n < h->bins.len && h->bins.data[i + n].count == 0)
		n++;
	return n;
}

/* More empty bins than these in a row are one line. */
enum { EMPTY_SHOWN = 2 };

void
cp_text_histogram(const struct cp_report *r,
    const struct cp_render_options *opt, struct cp_out *out,
    const struct cp_histogram *h)
{
	struct histogram m;
	struct cp_buf b;

	cp_buf_init(&b, SIZE_MAX / 2);
	m = histogram_measure(r, h, &b);
	m.bar = bar_room(opt, m.name_width + NUMBERS);
	cp_buf_reset(&b);
	cp_escape_terminal(&b, h->name);
	cp_out_str(out, "  ");
	cp_text_right(out, &b, m.name_width);
	cp_out_str(out, "         Count    Share");
	if (h->unit != NULL) {
		cp_buf_reset(&b);
		cp_escape_terminal(&b, h->unit);
		cp_text_right(out, &b, 14);
	}
	cp_out_char(out, '\n');
	for (size_t i = 0; i < h->bins.len; i++) {
		size_t empty = empty_bins(h, i);

		if (empty > EMPTY_SHOWN) {
			cp_buf_reset(&b);
			cp_buf_str(&b, "…");
			cp_out_str(out, "  ");
			cp_text_right(out, &b, m.name_width);
			cp_out_char(out, '\n');
			i += empty - 1;
			continue;
		}
		bin_text(&b, r, h, &h->bins.data[i]);
		cp_out_str(out, "  ");
		cp_text_right(out, &b, m.name_width);
		put_bin(h, &m, &h->bins.data[i], out, &b);
	}
	if (h->bins.len == 0)
		cp_out_str(out, "  (nothing)\n");
	cp_buf_free(&b);
}

/* ------------------------------------------------------------------ grid */

struct picture {
	const struct cp_report *report;
	const struct cp_grid *grid;
	struct cp_blocks blocks; /* characters */
	size_t label;            /* width */
};

static void
label_text(struct cp_buf *b, const struct cp_report *r, const struct cp_axis *a,
    uint32_t i)
{
	cp_buf_reset(b);
	if (a->labels != NULL)
		cp_escape_terminal(b, a->labels[i]);
	else
		cp_format_edge(b, r, a, i);
}

/*
 * Returns the grid's row for a line: numbers grow upwards, names go downwards.
 */
static uint32_t
line_row(const struct picture *p, uint32_t line)
{
	return p->grid->y.labels != NULL ? line : p->blocks.rows - 1 - line;
}

static void
picture_measure(
    struct picture *p, const struct cp_render_options *opt, struct cp_buf *b)
{
	const struct cp_grid *g = p->grid;
	uint32_t cells;

	for (uint32_t i = 0; i < CP_MIN(g->y.count, 4096u); i++) {
		label_text(b, p->report, &g->y, i);
		p->label = CP_MAX(p->label, cp_text_columns(cp_buf_text(b)));
	}
	p->label = CP_MIN(p->label, (size_t)30);
	cells = cp_text_room(opt, p->label + 5);
	p->blocks = cp_grid_blocks(
	    g, (g->x.count - 1) / cells + 1, (g->y.count - 1) / MAX_ROWS + 1);
}

static void
put_cells(const struct picture *p, uint32_t row, struct cp_out *out)
{
	const struct cp_blocks *b = &p->blocks;
	uint32_t n = b->columns;

	while (n > 0 && b->value[(size_t)(n - 1) * b->rows + row] == 0)
		n--;
	for (uint32_t x = 0; x < n; x++) {
		uint64_t v = b->value[(size_t)x * b->rows + row];
		double part = sqrt((double)v / (double)b->most);
		unsigned level = (unsigned)ceil(part * 5);

		cp_out_str(out, shade[CP_MIN(level, 5u)]);
	}
	cp_out_char(out, '\n');
}

static void
put_ends(const struct picture *p, struct cp_out *out, struct cp_buf *b)
{
	const struct cp_axis *x = &p->grid->x;
	size_t first;

	cp_out_repeat(out, " ", p->label + 3);
	cp_out_str(out, "└");
	for (uint32_t i = 0; i < p->blocks.columns; i++)
		cp_out_str(out, "─");
	cp_out_char(out, '\n');
	label_text(b, p->report, x, 0);
	first = cp_text_columns(cp_buf_text(b));
	cp_out_repeat(out, " ", p->label + 4);
	cp_out_add(out, cp_buf_text(b), b->len);
	label_text(b, p->report, x, x->count - 1);
	if (first + 2 + cp_text_columns(cp_buf_text(b)) <= p->blocks.columns)
		cp_text_right(out, b, p->blocks.columns - first);
	cp_out_char(out, '\n');
}

static void
put_scale(const struct picture *p, struct cp_out *out, struct cp_buf *b)
{
	const struct cp_grid *g = p->grid;
	struct cp_value most = cp_grid_value(g, p->blocks.most);

	cp_buf_reset(b);
	cp_buf_str(b, "  across: ");
	cp_escape_terminal(b, g->x.name);
	if (p->blocks.by_x > 1)
		cp_buf_printf(b, " (%" PRIu32 " cells each)", p->blocks.by_x);
	cp_buf_str(b, ", up: ");
	cp_escape_terminal(b, g->y.name);
	if (p->blocks.by_y > 1)
		cp_buf_printf(b, " (%" PRIu32 " cells each)", p->blocks.by_y);
	cp_buf_str(b, "; █ is ");
	cp_format_unit(b, g->type, &most, g->name);
	cp_buf_char(b, '\n');
	cp_out_add(out, cp_buf_text(b), b->len);
}

void
cp_text_grid(const struct cp_report *r, const struct cp_render_options *opt,
    struct cp_out *out, const struct cp_grid *g)
{
	struct picture p = { .report = r, .grid = g };
	struct cp_buf b;

	if (g->cells.len == 0) {
		cp_out_str(out, "  (nothing)\n");
		return;
	}
	cp_buf_init(&b, SIZE_MAX / 2);
	picture_measure(&p, opt, &b);
	put_scale(&p, out, &b);
	for (uint32_t line = 0; line < p.blocks.rows; line++) {
		uint32_t row = line_row(&p, line);

		cp_buf_reset(&b);
		if (g->y.labels != NULL || p.blocks.rows <= 12 || row % 5 == 0)
			label_text(&b, r, &g->y, row * p.blocks.by_y);
		cp_out_str(out, "  ");
		cp_text_right(out, &b, p.label);
		cp_out_str(out, " │");
		put_cells(&p, row, out);
	}
	put_ends(&p, out, &b);
	free(p.blocks.value);
	cp_buf_free(&b);
}
