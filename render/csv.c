/* SPDX-License-Identifier: MIT */
/*
 * csv: the main table of a report for spreadsheets and scripts.
 *
 * RFC 4180: one header line, then one line per row, ended by a newline.  The
 * main table is the first that is neither the label nor the quality of the
 * capture, nor the summary of a listing; every reader of CSV can read a file of
 * one table.  The same tables of other events are part of it, with a first
 * column "event".  Column names are lower case with "_"; a share or rate has
 * two more columns with the ends of its interval.  Numbers are raw: shares are
 * fractions of 1, times nanoseconds, addresses hexadecimal.  Rows that are
 * indented under others have a first column "depth".  Rows that the table
 * leaves out are not written.  A report without table gives its first histogram
 * (a line per bin), grid (per cell that is not empty) or set of lanes (per
 * span).
 */
#include <math.h>

#include "render/common/escape.h"
#include "render/render.h"

static bool
is_main(const struct cp_section *s)
{
	return s->type == CP_SECTION_TABLE && !cp_section_is_data(s) &&
	       strcmp(s->slug, "label") != 0 &&
	       strcmp(s->slug, "quality") != 0 &&
	       strcmp(s->slug, "hottest") != 0 &&
	       strcmp(s->slug, "totals") != 0;
}

static bool
is_measured(enum cp_column_type type)
{
	return type == CP_COL_SHARE || type == CP_COL_RATE ||
	       type == CP_COL_CHANGE;
}

/* "Self time (ms)" -> "self_time_ms" */
static void
put_name(struct cp_out *out, const char *name, const char *suffix)
{
	bool gap = false, any = false;

	for (; *name != '\0'; name++) {
		char c = *name;

		if (c >= 'A' && c <= 'Z')
			c = (char)(c - 'A' + 'a');
		if ((c < 'a' || c > 'z') && (c < '0' || c > '9')) {
			gap = any;
			continue;
		}
		if (gap)
			cp_out_char(out, '_');
		cp_out_char(out, c);
		gap = false;
		any = true;
	}
	cp_out_str(out, any ? "" : "column");
	cp_out_str(out, suffix);
}

static void
put_column(struct cp_out *out, const struct cp_column *c, const char *suffix)
{
	if (c->key == NULL) {
		put_name(out, c->name, suffix);
		return;
	}
	cp_out_str(out, c->key);
	cp_out_str(out, suffix);
}

static void
put_double(struct cp_out *out, double v)
{
	/* Writes zero without a sign. */
	if (isfinite(v))
		cp_out_printf(out, "%.9g", v != 0 ? v : 0);
}

/* Writes as many digits as SQL does. */
static void
put_number(struct cp_out *out, double v)
{
	if (isfinite(v))
		cp_out_printf(out, "%.15g", v);
}

static void
put_value(struct cp_out *out, enum cp_escape how, enum cp_column_type type,
    const struct cp_value *v)
{
	bool interval = v->lo <= v->hi;

	if (v->none) {
		cp_out_str(out, is_measured(type) ? ",," : "");
	} else if (type == CP_COL_TEXT) {
		cp_out_escaped(out, how, v->text);
	} else if (is_measured(type)) {
		put_double(out, v->value);
		cp_out_char(out, ',');
		put_double(out, interval ? v->lo : NAN);
		cp_out_char(out, ',');
		put_double(out, interval ? v->hi : NAN);
	} else if (type == CP_COL_CHANCE) {
		put_double(out, v->value);
	} else if (type == CP_COL_NUMBER) {
		put_number(out, v->value);
	} else if (type == CP_COL_ADDRESS) {
		cp_out_printf(out, "0x%" PRIx64, v->u64);
	} else if (!cp_value_unknown(type, v)) {
		cp_out_u64(out, v->u64);
	}
}

static bool
has_depth(const struct cp_table *t)
{
	for (size_t i = 0; i < t->rows.len; i++)
		if (t->rows.data[i].depth != 0)
			return true;
	return false;
}

static void
put_header(struct cp_out *out, const struct cp_table *t, bool event, bool depth)
{
	if (event)
		cp_out_str(out, "event,");
	if (depth)
		cp_out_str(out, "depth,");
	for (size_t i = 0; i < t->columns.len; i++) {
		const struct cp_column *c = &t->columns.data[i];

		if (i != 0)
			cp_out_char(out, ',');
		put_column(out, c, "");
		if (!is_measured(c->type))
			continue;
		cp_out_char(out, ',');
		put_column(out, c, "_lo,");
		put_column(out, c, "_hi");
	}
	cp_out_char(out, '\n');
}

static void
put_rows(struct cp_out *out, enum cp_escape how, const struct cp_table *t,
    bool event, bool depth)
{
	for (size_t r = 0; r < cp_table_len(t); r++) {
		const struct cp_row *row = cp_table_at(t, r);

		if (event) {
			cp_out_escaped(out, how, t->event);
			cp_out_char(out, ',');
		}
		if (depth)
			cp_out_printf(out, "%" PRIu32 ",", row->depth);
		for (size_t i = 0; i < t->columns.len; i++) {
			if (i != 0)
				cp_out_char(out, ',');
			put_value(
			    out, how, t->columns.data[i].type, &row->values[i]);
		}
		cp_out_char(out, '\n');
	}
}

/* True if s is the same table for another event. */
static bool
is_twin(const struct cp_section *s, const struct cp_section *of)
{
	const struct cp_table *a = &s->table, *b = &of->table;

	if (s->type != CP_SECTION_TABLE || of->type != CP_SECTION_TABLE ||
	    strcmp(s->slug, of->slug) != 0 || a->event == NULL ||
	    b->event == NULL || a->columns.len != b->columns.len)
		return false;
	for (size_t i = 0; i < a->columns.len; i++)
		if (a->columns.data[i].type != b->columns.data[i].type)
			return false;
	return true;
}

static void
put_tables(
    struct cp_out *out, enum cp_escape how, const struct cp_section *first)
{
	bool event = false, depth = has_depth(&first->table);

	for (const struct cp_section *s = first->next; s != NULL; s = s->next)
		if (is_twin(s, first)) {
			event = true;
			depth |= has_depth(&s->table);
		}
	put_header(out, &first->table, event, depth);
	put_rows(out, how, &first->table, event, depth);
	for (const struct cp_section *s = first->next; s != NULL; s = s->next)
		if (is_twin(s, first))
			put_rows(out, how, &s->table, event, depth);
}

static void
put_histogram(struct cp_out *out, const struct cp_histogram *h)
{
	put_name(out, h->name, "_from,");
	put_name(out, h->name, "_to,count");
	if (h->unit != NULL) {
		cp_out_char(out, ',');
		put_name(out, h->unit, "");
	}
	cp_out_char(out, '\n');
	for (size_t i = 0; i < h->bins.len; i++) {
		const struct cp_bin *bin = &h->bins.data[i];

		cp_out_printf(out, "%" PRIu64 ",%" PRIu64 ",%" PRIu64, bin->lo,
		    bin->hi, bin->count);
		if (h->unit != NULL)
			cp_out_printf(out, ",%" PRIu64, bin->weight);
		cp_out_char(out, '\n');
	}
}

static void
put_place(
    struct cp_out *out, enum cp_escape how, const struct cp_axis *a, uint32_t i)
{
	if (a->labels != NULL)
		cp_out_escaped(out, how, a->labels[i]);
	else
		cp_out_u64(out, cp_axis_edge(a, i));
	cp_out_char(out, ',');
}

static void
put_grid(struct cp_out *out, enum cp_escape how, const struct cp_grid *g)
{
	put_name(out, g->x.name, ",");
	put_name(out, g->y.name, ",");
	put_name(out, g->name, "\n");
	for (size_t i = 0; i < g->cells.len; i++) {
		const struct cp_grid_cell *c = &g->cells.data[i];

		put_place(out, how, &g->x, c->x);
		put_place(out, how, &g->y, c->y);
		if (g->type == CP_COL_RATE)
			cp_out_printf(
			    out, "%.3f", cp_grid_value(g, c->value).value);
		else
			cp_out_u64(out, c->value);
		cp_out_char(out, '\n');
	}
}

static void
put_lanes(struct cp_out *out, enum cp_escape how, const struct cp_lanes *l)
{
	cp_out_str(out, "lane,kind,start,end,level,text\n");
	for (size_t i = 0; i < l->spans.len; i++) {
		const struct cp_lane_span *s = &l->spans.data[i];

		cp_out_escaped(out, how, l->lanes.data[s->lane]);
		cp_out_char(out, ',');
		cp_out_escaped(out, how, l->kinds.data[s->kind].name);
		cp_out_printf(out, ",%" PRIu64 ",%" PRIu64 ",%.4g,", s->start,
		    s->end, (double)s->level);
		cp_out_escaped(out, how, s->text);
		cp_out_char(out, '\n');
	}
}

/* Chooses the main table, or else the first section that lists something. */
static const struct cp_section *
choose(const struct cp_report *r)
{
	const struct cp_section *first = NULL, *s = r->first;

	for (; s != NULL; s = s->next) {
		if (is_main(s))
			return s;
		if (first == NULL && (CP_SHOWS(s->type) & CP_SHOWS_CHARTS))
			first = s;
	}
	return first;
}

static void
csv_write(const struct cp_report *r, const struct cp_render_options *opt,
    struct cp_out *out, struct cp_left *left)
{
	const struct cp_section *chosen = choose(r);
	enum cp_escape how = opt->csv_raw ? CP_ESCAPE_CSV_RAW : CP_ESCAPE_CSV;

	for (const struct cp_section *s = r->first; s != NULL; s = s->next) {
		if (s != chosen && !is_twin(s, chosen))
			cp_left_add(left, s);
		else if (s != chosen)
			continue;
		else if (s->type == CP_SECTION_TABLE)
			put_tables(out, how, s);
		else if (s->type == CP_SECTION_HISTOGRAM)
			put_histogram(out, &s->histogram);
		else if (s->type == CP_SECTION_GRID)
			put_grid(out, how, &s->grid);
		else
			put_lanes(out, how, &s->lanes);
	}
}

const struct cp_renderer cp_renderer_csv = {
	.name = "csv",
	.suffix = ".csv",
	.shows = CP_SHOWS(CP_SECTION_TABLE) | CP_SHOWS_CHARTS,
	.write = csv_write,
};
