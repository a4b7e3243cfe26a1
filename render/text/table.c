/* SPDX-License-Identifier: MIT */
/*
 * render/text/table.c: a table as lines of a terminal.
 *
 * Cells are formatted first and measured, then columns are laid out: numbers to
 * the right, texts to the left and cut with an ellipsis where the width asks
 * for it, the last text column first.  A share's interval is shown dim next to
 * it.
 */
#include "render/text/text.h"

#include "render/common/escape.h"
#include "render/common/format.h"
#include "render/text/names.h"
#include "render/text/rest.h"
#include "render/text/style.h"
#include "render/text/widths.h"

struct cell {
	size_t text;    /* escaped; in the layout's line */
	size_t columns; /* it takes */
	const char *style;
};

struct layout {
	const struct cp_render_options *opt;
	struct cp_out *out;
	const struct cp_table *table;
	struct cp_buf text; /* of a cell */
	struct cp_buf line; /* texts of the current cells */
	struct cell *cell;  /* of a line; two per column: value and interval */
	size_t *width;      /* two per column; 0: nothing to show */
	size_t across;      /* cells in a line */
	bool *used;         /* by column */
	bool *sure;         /* by column: its intervals are shown */
	struct cp_names *names; /* by column; without rows: not cut by name */
	size_t row;             /* the current row */
	bool fixed;             /* widths are */
	bool below;             /* sentences stand below their rows */
};

static void
cell_set(struct layout *l, size_t at, const char *style)
{
	struct cell *c = &l->cell[at];

	c->text = l->line.len;
	cp_buf_add(&l->line, cp_buf_text(&l->text), l->text.len);
	cp_buf_char(&l->line, '\0');
	c->columns = cp_text_columns(cp_buf_text(&l->line) + c->text);
	c->style = style;
	if (!l->fixed)
		l->width[at] = CP_MAX(l->width[at], c->columns);
	cp_buf_reset(&l->text);
}

static size_t
first_text(const struct cp_table *t)
{
	size_t i = 0;

	while (i < t->columns.len && t->columns.data[i].type != CP_COL_TEXT)
		i++;
	return i;
}

/* The cells of a line that is not laid out yet. */
static void
line_begin(struct layout *l)
{
	memset(l->cell, 0, l->across * sizeof(*l->cell));
	cp_buf_reset(&l->line);
}

static void
layout_row(struct layout *l, const struct cp_row *row)
{
	const struct cp_table *t = l->table;
	size_t first = first_text(t);

	line_begin(l);
	for (size_t i = 0; i < t->columns.len; i++) {
		enum cp_column_type type = t->columns.data[i].type;
		const struct cp_value *v = &row->values[i];
		const char *style = "";

		/* A column without any known value is not shown. */
		if (!l->used[i])
			continue;
		if (l->names[i].rows.len != 0)
			cp_names_put(&l->names[i], l->row, &l->text);
		else if (i == first)
			for (uint32_t d = CP_MIN(row->depth, 40u); d != 0; d--)
				cp_buf_str(&l->text, "  ");
		if (l->names[i].rows.len == 0 && !cp_text_blank(t, type, v))
			cp_format_value(&l->text, type, v);
		if (type == CP_COL_SHARE)
			style = cp_text_heat(v->value);
		cell_set(l, 2 * i, style);
		if (!l->sure[i])
			continue;
		cp_text_interval(&l->text, type, v);
		if (l->text.len != 0)
			cell_set(l, 2 * i + 1, CP_STYLE_DIM);
	}
}

static void
layout_head(struct layout *l)
{
	line_begin(l);
	for (size_t i = 0; i < l->across; i += 2) {
		if (!l->used[i / 2])
			continue;
		cp_escape_terminal(
		    &l->text, l->table->columns.data[i / 2].name);
		cell_set(l, i, CP_STYLE_HEAD);
		if (l->width[i + 1] == 0)
			continue;
		cp_buf_str(&l->text, "95 %");
		cell_set(l, i + 1, CP_STYLE_DIM);
	}
}

/* Returns the width of the column with its interval. */
static size_t
column_total(const size_t *width, size_t c)
{
	size_t more = width[2 * c + 1];

	return width[2 * c] + 2 + (more != 0 ? more + 2 : 0);
}

/* True for texts and addresses, which identify a row. */
static bool
is_key(const struct layout *l, size_t c)
{
	enum cp_column_type type = l->table->columns.data[c].type;

	return type == CP_COL_TEXT || type == CP_COL_ADDRESS;
}

/*
 * Shrinks the texts so that any one of the other columns fits next to them;
 * false: that is not possible.
 */
static bool
layout_texts(struct layout *l, const size_t *width)
{
	size_t widest = 0;

	memset(l->width, 0, l->across * sizeof(*l->width));
	for (size_t c = 0; c < l->table->columns.len; c++)
		if (is_key(l, c))
			l->width[2 * c] = width[2 * c];
		else
			widest = CP_MAX(widest, column_total(width, c));
	if (widest == 0 || widest >= l->opt->width)
		return false;
	cp_widths_shrink(l->table, l->width, l->opt->width - widest);
	return cp_widths_total(l->table, l->width) + widest <= l->opt->width;
}

/*
 * Adds the columns that fit, from `from' on; returns the column to continue
 * with.
 */
static size_t
layout_part(struct layout *l, const size_t *width, size_t from)
{
	size_t total = cp_widths_total(l->table, l->width), c = from;

	for (; c < l->table->columns.len; c++) {
		if (is_key(l, c) || width[2 * c] == 0)
			continue;
		total += column_total(width, c);
		if (total > l->opt->width)
			break;
		memcpy(&l->width[2 * c], &width[2 * c], 2 * sizeof(*width));
	}
	return c;
}

static void
print_cell(
    struct layout *l, const struct cell *c, size_t width, bool left, bool last)
{
	const char *text = cp_buf_text(&l->line) + c->text;
	size_t n = c->columns != 0 ? strlen(text) : 0;
	bool cut = c->columns > width;
	size_t fill;

	if (cut)
		n = cp_text_fit(text, width - 1);
	fill = cut ? 0 : width - c->columns;
	if (!left)
		cp_out_repeat(l->out, " ", fill);
	if (n != 0)
		cp_text_styled(l->out, l->opt, c->style, text, n);
	if (cut)
		cp_out_str(l->out, "…");
	if (left && !last)
		cp_out_repeat(l->out, " ", fill);
}

static void
print_line(struct layout *l)
{
	size_t last = l->across;

	while (last > 0 &&
	       (l->cell[last - 1].columns == 0 || l->width[last - 1] == 0))
		last--;
	for (size_t i = 0; i < last; i++) {
		bool text = i % 2 == 0 &&
			    l->table->columns.data[i / 2].type == CP_COL_TEXT;

		if (l->width[i] == 0)
			continue;
		cp_out_str(l->out, "  ");
		print_cell(l, &l->cell[i], l->width[i], text, i + 1 == last);
	}
	cp_out_char(l->out, '\n');
}

static void
print_below(const struct layout *l, const struct cp_row *row)
{
	for (size_t c = 0; c < l->table->columns.len; c++)
		if (l->table->columns.data[c].prose)
			cp_text_prose(l->opt, l->out,
			    l->table->columns.data[c].name, &row->values[c]);
}

static bool
is_blank(const struct layout *l)
{
	for (size_t i = 0; i < l->across; i++)
		if (l->cell[i].columns != 0 && l->width[i] != 0)
			return false;
	return true;
}

static void
print_rows(struct layout *l, bool last)
{
	for (size_t c = 0; c < l->table->columns.len; c++)
		cp_names_fit(&l->names[c], l->width[2 * c]);
	layout_head(l);
	if (l->across != 0)
		print_line(l);
	for (size_t r = 0; r < cp_table_len(l->table); r++) {
		const struct cp_row *row = cp_table_at(l->table, r);

		l->row = r;
		layout_row(l, row);
		/* A row may have sentences only. */
		if (!l->below || !is_blank(l))
			print_line(l);
		if (l->below && last)
			print_below(l, row);
	}
}

/* Puts sentences below the rows if the table is too wide with them. */
static void
layout_prose(struct layout *l)
{
	if (l->opt->width == 0 ||
	    cp_widths_total(l->table, l->width) <= l->opt->width)
		return;
	for (size_t c = 0; c < l->table->columns.len; c++) {
		if (!l->table->columns.data[c].prose)
			continue;
		l->width[2 * c] = 0;
		l->below = true;
	}
}

/*
 * Returns the least width of a text in a listing: the first is an address with
 * its indent.
 */
static size_t
least(const struct layout *l, size_t c)
{
	size_t n = c == first_text(l->table) ? 24
		   : 2 * c + 2 == l->across  ? 32
					     : 16;

	return CP_MIN(l->width[2 * c], n);
}

static bool
texts_fit(const struct layout *l)
{
	size_t total = 0;

	for (size_t c = 0; c < l->table->columns.len; c++)
		if (l->table->columns.data[c].type == CP_COL_TEXT)
			total += least(l, c) + 2;
		else if (l->width[2 * c] != 0)
			total += column_total(l->width, c);
	return total <= l->opt->width;
}

/*
 * Prints a listing.  If it is too wide, intervals are left out, then numbers
 * from the last on; the first number stays.  The remaining width is for the
 * last column.
 */
static void
print_listing(struct layout *l)
{
	size_t n = l->table->columns.len, total;

	for (size_t c = n; c-- > 0 && !texts_fit(l);)
		l->width[2 * c + 1] = 0;
	for (size_t c = n; c-- > 1 && !texts_fit(l);)
		if (!is_key(l, c))
			l->width[2 * c] = 0;
	total = cp_widths_total(l->table, l->width);
	for (size_t c = n - 1; c-- > 0 && total > l->opt->width;)
		if (l->table->columns.data[c].type == CP_COL_TEXT) {
			size_t over = l->width[2 * c] - least(l, c);

			over = CP_MIN(over, total - l->opt->width);
			l->width[2 * c] -= over;
			total -= over;
		}
	cp_widths_shrink(l->table, l->width, l->opt->width);
	print_rows(l, true);
}

/*
 * A table that is too wide for the terminal is printed in parts, one below the
 * other; each part has the texts, which identify a row.  If the texts leave no
 * room, the terminal wraps the lines.
 */
static void
print_parts(struct layout *l)
{
	size_t bytes = l->across * sizeof(*l->width), next = 0;
	size_t *width = cp_xcalloc(l->across + 1, sizeof(*width));

	layout_prose(l);
	memcpy(width, l->width, bytes);
	if (l->opt->width != 0)
		cp_widths_shrink(l->table, l->width, l->opt->width);
	if (l->opt->width == 0 ||
	    cp_widths_total(l->table, l->width) <= l->opt->width ||
	    !layout_texts(l, width)) {
		memcpy(l->width, width, bytes);
		if (l->opt->width != 0)
			cp_widths_squeeze(l->table, l->width, l->opt->width);
		print_rows(l, true);
		next = l->table->columns.len;
	}
	while (next < l->table->columns.len) {
		if (next != 0)
			cp_out_char(l->out, '\n');
		(void)layout_texts(l, width);
		next = layout_part(l, width, next);
		print_rows(l, next == l->table->columns.len);
	}
	free(width);
}

void
cp_text_table(const struct cp_render_options *opt, struct cp_out *out,
    const struct cp_table *whole)
{
	struct cp_table first = cp_text_brief(whole);
	const struct cp_table *t = &first;
	struct layout l = {
		.opt = opt, .out = out, .table = t, .across = 2 * t->columns.len
	};
	size_t n = cp_table_len(t);

	l.cell = cp_xcalloc(l.across + 1, sizeof(*l.cell));
	l.width = cp_xcalloc(l.across + 1, sizeof(*l.width));
	l.used = cp_text_used(t);
	cp_text_chosen(opt, t, l.used);
	l.sure = cp_text_sure(opt, t);
	cp_buf_init(&l.text, SIZE_MAX / 2);
	cp_buf_init(&l.line, SIZE_MAX / 2);
	l.names = cp_names_of(t, opt->brief);
	/*
	 * Rows may be too many to be kept: they are measured, then made again.
	 */
	for (size_t r = 0; r < cp_table_len(l.table); r++) {
		l.row = r;
		layout_row(&l, cp_table_at(l.table, r));
	}
	layout_head(&l);
	l.fixed = true;
	if (opt->width != 0 && !t->listing)
		cp_widths_fold(t, l.width, opt->width);
	if (t->listing && opt->width != 0)
		print_listing(&l);
	else
		print_parts(&l);
	if (n == 0 && t->rest_rows == 0)
		cp_out_str(out, "  (nothing)\n");
	if (t->rest_rows != 0) {
		cp_out_str(out, "  ");
		cp_text_rest(out, t);
		cp_out_char(out, '\n');
	}
	free(l.cell);
	free(l.width);
	free(l.used);
	free(l.sure);
	cp_names_free_of(t, l.names);
	cp_buf_free(&l.text);
	cp_buf_free(&l.line);
}
