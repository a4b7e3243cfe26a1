/* SPDX-License-Identifier: MIT */
/*
 * Sections of a report that are histograms, grids and lanes.
 */
#include "report/section.h"

/* ------------------------------------------------------------- histogram */

struct cp_histogram *
cp_report_histogram(struct cp_report *r, const char *slug, const char *title,
    const char *value, enum cp_column_type type)
{
	struct cp_section *s =
	    cp_section_new(r, CP_SECTION_HISTOGRAM, slug, title);

	s->histogram.report = r;
	s->histogram.name = cp_report_text(r, value);
	s->histogram.type = type;
	return &s->histogram;
}

void
cp_histogram_bin(
    struct cp_histogram *h, uint64_t lo, uint64_t hi, uint64_t count)
{
	*cp_vec_push(&h->bins) =
	    (struct cp_bin){ .lo = lo, .hi = hi, .count = count };
}

void
cp_histogram_unit(
    struct cp_histogram *h, const char *name, enum cp_column_type type)
{
	h->unit = cp_report_text(h->report, name);
	h->unit_type = type;
}

void
cp_histogram_weight(struct cp_histogram *h, uint64_t weight)
{
	h->bins.data[h->bins.len - 1].weight = weight;
}

/* ------------------------------------------------------------------ grid */

static struct cp_axis
axis_copy(struct cp_report *r, const struct cp_axis *a)
{
	struct cp_axis copy = *a;

	copy.name = cp_report_text(r, a->name);
	if (a->edges != NULL) {
		size_t n = (size_t)a->count + 1;
		uint64_t *edges = cp_arena_alloc(&r->arena, n * sizeof(*edges));

		memcpy(edges, a->edges, n * sizeof(*edges));
		copy.edges = edges;
	}
	if (a->labels != NULL) {
		const char **labels = cp_arena_alloc(
		    &r->arena, ((size_t)a->count + 1) * sizeof(*labels));

		for (uint32_t i = 0; i < a->count; i++)
			labels[i] = cp_report_text(r, a->labels[i]);
		copy.labels = labels;
	}
	return copy;
}

uint64_t
cp_axis_edge(const struct cp_axis *a, uint32_t i)
{
	if (a->edges != NULL)
		return a->edges[i];
	return a->from + i * a->step;
}

struct cp_grid *
cp_report_grid(struct cp_report *r, const char *slug, const char *title,
    const struct cp_axis *x, const struct cp_axis *y, const char *value,
    enum cp_column_type type)
{
	struct cp_section *s = cp_section_new(r, CP_SECTION_GRID, slug, title);

	s->grid.x = axis_copy(r, x);
	s->grid.y = axis_copy(r, y);
	s->grid.name = cp_report_text(r, value);
	s->grid.type = type;
	return &s->grid;
}

void
cp_grid_add(struct cp_grid *g, uint32_t x, uint32_t y, uint64_t value)
{
	uint32_t *at;

	if (x >= g->x.count || y >= g->y.count || value == 0)
		return;
	at = cp_map64_put(&g->at, (uint64_t)x << 32 | y);
	if (*at == 0) {
		*cp_vec_push(&g->cells) = (struct cp_grid_cell){ x, y, 0 };
		*at = (uint32_t)g->cells.len;
	}
	g->cells.data[*at - 1].value += value;
}

void
cp_grid_merge(struct cp_grid *g, enum cp_merge merge)
{
	g->merge = merge;
}

struct cp_value
cp_grid_value(const struct cp_grid *g, uint64_t cell)
{
	return (struct cp_value){
		.u64 = cell, .value = (double)cell / 1000, .lo = 1
	};
}

/* Returns the number of cells in block i; the last block has the rest. */
static uint32_t
block_cells(uint32_t i, uint32_t by, uint32_t count)
{
	return CP_MIN(by, count - i * by);
}

static void
blocks_average(const struct cp_grid *g, struct cp_blocks *b)
{
	for (uint32_t x = 0; x < b->columns; x++)
		for (uint32_t y = 0; y < b->rows; y++) {
			uint64_t *v = &b->value[(size_t)x * b->rows + y];
			uint64_t n =
			    (uint64_t)block_cells(x, b->by_x, g->x.count) *
			    block_cells(y, b->by_y, g->y.count);

			/* Rounds up: a small value must not look like none. */
			*v = *v / n + (*v % n != 0);
		}
}

struct cp_blocks
cp_grid_blocks(const struct cp_grid *g, uint32_t by_x, uint32_t by_y)
{
	/* Rounds up without overflow: a count may be UINT32_MAX. */
	struct cp_blocks b = { .by_x = by_x,
		.by_y = by_y,
		.columns = (g->x.count - 1) / by_x + 1,
		.rows = (g->y.count - 1) / by_y + 1 };
	size_t n = (size_t)b.columns * b.rows;

	b.value = cp_xcalloc(n, sizeof(*b.value));
	for (size_t i = 0; i < g->cells.len; i++) {
		const struct cp_grid_cell *c = &g->cells.data[i];
		uint64_t *v =
		    &b.value[(size_t)(c->x / by_x) * b.rows + c->y / by_y];

		*v = g->merge == CP_MERGE_MOST ? CP_MAX(*v, c->value)
					       : *v + c->value;
	}
	if (g->merge == CP_MERGE_MEAN)
		blocks_average(g, &b);
	for (size_t i = 0; i < n; i++)
		b.most = CP_MAX(b.most, b.value[i]);
	return b;
}

static int
cell_cmp(const void *pa, const void *pb)
{
	const struct cp_grid_cell *a = pa, *b = pb;

	if (a->x != b->x)
		return a->x < b->x ? -1 : 1;
	return a->y < b->y ? -1 : a->y > b->y;
}

/* ----------------------------------------------------------------- lanes */

struct cp_lanes *
cp_report_lanes(struct cp_report *r, const char *slug, const char *title)
{
	struct cp_section *s = cp_section_new(r, CP_SECTION_LANES, slug, title);

	s->lanes.report = r;
	return &s->lanes;
}

uint32_t
cp_lanes_kind(struct cp_lanes *l, const char *name, enum cp_tone tone)
{
	*cp_vec_push(&l->kinds) =
	    (struct cp_lane_kind){ cp_report_text(l->report, name), tone };
	return (uint32_t)(l->kinds.len - 1);
}

uint32_t
cp_lanes_lane(struct cp_lanes *l, const char *name)
{
	*cp_vec_push(&l->lanes) = cp_report_text(l->report, name);
	return (uint32_t)(l->lanes.len - 1);
}

void
cp_lanes_span(struct cp_lanes *l, uint32_t lane, uint32_t kind, uint64_t start,
    uint64_t end, const char *text)
{
	*cp_vec_push(&l->spans) = (struct cp_lane_span){ .start = start,
		.end = end,
		.lane = lane,
		.kind = kind,
		.level = 1,
		.text = text != NULL ? cp_report_text(l->report, text) : NULL };
}

void
cp_lanes_level(struct cp_lanes *l, double level)
{
	l->spans.data[l->spans.len - 1].level =
	    level > 0 ? (float)CP_MIN(level, 1.0) : 0;
}

static int
span_cmp(const void *pa, const void *pb)
{
	const struct cp_lane_span *a = pa, *b = pb;

	if (a->lane != b->lane)
		return a->lane < b->lane ? -1 : 1;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->end < b->end ? -1 : a->end > b->end;
}

/* ------------------------------------------------------------------- all */

void
cp_charts_finish(struct cp_section *s)
{
	if (s->grid.cells.len != 0)
		qsort(s->grid.cells.data, s->grid.cells.len,
		    sizeof(*s->grid.cells.data), cell_cmp);
	cp_map64_free(&s->grid.at);
	if (s->lanes.spans.len != 0)
		qsort(s->lanes.spans.data, s->lanes.spans.len,
		    sizeof(*s->lanes.spans.data), span_cmp);
}

void
cp_charts_free(struct cp_section *s)
{
	cp_vec_free(&s->histogram.bins);
	cp_vec_free(&s->grid.cells);
	cp_map64_free(&s->grid.at);
	cp_vec_free(&s->lanes.kinds);
	cp_vec_free(&s->lanes.lanes);
	cp_vec_free(&s->lanes.spans);
}
