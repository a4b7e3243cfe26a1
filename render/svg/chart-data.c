/* SPDX-License-Identifier: MIT */
/*
 * render/svg/chart-data.c: a chart as JSON for its script.
 *
 * Moments are told from the start of the capture, so that numbers stay small
 * enough for JavaScript and are what --time takes.
 */
#include "render/svg/draw.h"

#include "base/limits.h"
#include "render/svg/legend.h"

static const char *
type_of(enum cp_column_type type)
{
	switch (type) {
	case CP_COL_TIME: return "time";
	case CP_COL_CLOCK: return "clock";
	case CP_COL_BYTES: return "bytes";
	case CP_COL_ADDRESS: return "address";
	case CP_COL_TEXT: return "text";
	case CP_COL_RATE: return "rate";
	default: return "count";
	}
}

static void
put_number(const struct cp_svg *s, enum cp_column_type type, uint64_t v)
{
	uint64_t start = s->report->start;

	if (type != CP_COL_CLOCK || start == CP_NO_TIME)
		cp_out_u64(s->out, v);
	else if (v >= start)
		cp_out_u64(s->out, v - start);
	else
		cp_out_printf(s->out, "-%" PRIu64, start - v);
}

static void
put_named(const struct cp_svg *s, const char *key, const char *name,
    enum cp_column_type type)
{
	cp_out_printf(s->out, "\"%s\":{\"name\":", key);
	cp_svg_string(s->out, name);
	cp_out_printf(s->out, ",\"type\":\"%s\"", type_of(type));
}

static void
put_axis(const struct cp_svg *s, const char *key, const struct cp_axis *a)
{
	put_named(s, key, a->name, a->type);
	cp_out_printf(s->out, ",\"count\":%" PRIu32, a->count);
	if (a->labels != NULL) {
		cp_out_str(s->out, ",\"labels\":[");
		for (uint32_t i = 0; i < a->count; i++) {
			cp_out_str(s->out, i != 0 ? "," : "");
			cp_svg_string(s->out, a->labels[i]);
		}
		cp_out_str(s->out, "]");
	} else if (a->edges != NULL) {
		cp_out_str(s->out, ",\"edges\":[");
		for (uint32_t i = 0; i <= a->count; i++) {
			cp_out_str(s->out, i != 0 ? "," : "");
			put_number(s, a->type, a->edges[i]);
		}
		cp_out_str(s->out, "]");
	} else {
		cp_out_str(s->out, ",\"from\":");
		put_number(s, a->type, a->from);
		cp_out_printf(s->out, ",\"step\":%" PRIu64, a->step);
	}
	cp_out_char(s->out, '}');
}

static void
put_grid(const struct cp_svg *s, const struct cp_grid *g)
{
	put_axis(s, "x", &g->x);
	cp_out_char(s->out, ',');
	put_axis(s, "y", &g->y);
	cp_out_char(s->out, ',');
	put_named(s, "value", g->name, g->type);
	cp_out_printf(s->out, "},\"merge\":\"%s\",\"cells\":[",
	    g->merge == CP_MERGE_SUM    ? "sum"
	    : g->merge == CP_MERGE_MEAN ? "mean"
					: "most");
	for (size_t i = 0; i < g->cells.len; i++)
		cp_out_printf(s->out, "%s%" PRIu32 ",%" PRIu32 ",%" PRIu64,
		    i != 0 ? "," : "", g->cells.data[i].x, g->cells.data[i].y,
		    g->cells.data[i].value);
	cp_out_str(s->out, "]");
}

static void
put_histogram(const struct cp_svg *s, const struct cp_histogram *h)
{
	size_t n = CP_MIN(h->bins.len, (size_t)1000);

	put_named(s, "axis", h->name, h->type);
	if (h->unit != NULL) {
		cp_out_str(s->out, "},");
		put_named(s, "weights", h->unit, h->unit_type);
	}
	cp_out_str(s->out, "},\"bins\":[");
	for (size_t i = 0; i < n; i++) {
		cp_out_str(s->out, i != 0 ? "," : "");
		put_number(s, h->type, h->bins.data[i].lo);
		cp_out_char(s->out, ',');
		put_number(s, h->type, h->bins.data[i].hi);
		cp_out_printf(s->out, ",%" PRIu64 ",%" PRIu64,
		    h->bins.data[i].count, h->bins.data[i].weight);
	}
	cp_out_str(s->out, "]");
}

static void
put_span(const struct cp_svg *s, const struct cp_lane_span *p)
{
	cp_out_printf(s->out, "[%" PRIu32 ",%" PRIu32 ",", p->lane, p->kind);
	put_number(s, CP_COL_CLOCK, p->start);
	cp_out_char(s->out, ',');
	put_number(s, CP_COL_CLOCK, p->end);
	cp_out_printf(s->out, ",%.3g", (double)p->level);
	if (p->text != NULL) {
		cp_out_char(s->out, ',');
		cp_svg_string(s->out, p->text);
	}
	cp_out_char(s->out, ']');
}

static void
put_lanes(const struct cp_svg *s, const struct cp_lanes *l)
{
	size_t n = 0;

	cp_out_str(s->out, "\"kinds\":[");
	for (size_t i = 0; i < l->kinds.len; i++) {
		cp_out_str(s->out, i != 0 ? ",[" : "[");
		cp_svg_string(s->out, l->kinds.data[i].name);
		cp_out_printf(s->out, ",\"%s\"]", cp_svg_kind_class(l, i));
	}
	cp_out_str(s->out, "],\"lanes\":[");
	for (size_t i = 0; i < l->lanes.len && i < CP_MAX_SVG_LANES; i++) {
		cp_out_str(s->out, i != 0 ? "," : "");
		cp_svg_string(s->out, l->lanes.data[i]);
	}
	cp_out_str(s->out, "],\"spans\":[");
	for (size_t i = 0; i < l->spans.len; i++) {
		if (l->spans.data[i].lane >= CP_MAX_SVG_LANES)
			break;
		cp_out_str(s->out, n++ != 0 ? ",\n" : "\n");
		put_span(s, &l->spans.data[i]);
	}
	cp_out_str(s->out, "]");
}

void
cp_svg_chart_data(const struct cp_svg *s)
{
	const struct cp_section *sec = s->section;

	cp_out_str(
	    s->out, "<script type=\"application/json\" class=\"data\">{");
	if (sec->type == CP_SECTION_GRID)
		put_grid(s, &sec->grid);
	else if (sec->type == CP_SECTION_LANES)
		put_lanes(s, &sec->lanes);
	else
		put_histogram(s, &sec->histogram);
	cp_out_str(s->out, "}</script>\n");
}
