/* SPDX-License-Identifier: MIT */
/* Pictures over time: how long pairs took, and how many were open at once. */
#include "analyses/pairs/match.h"

#include <stdio.h>
#include <string.h>

static struct cp_axis
time_axis(const struct cp_pairs *p, uint64_t width)
{
	uint64_t end = p->last < p->to ? p->last : p->to;

	return (struct cp_axis){ .name = "from",
		.type = CP_COL_CLOCK,
		.count = (uint32_t)((end - p->first) / width) + 1,
		.from = p->first,
		.step = width };
}

/* How long the pairs of a recipe took that began then. */
static void
show_lengths(struct cp_pairs *p, struct cp_report *rep, uint32_t recipe,
    const struct cp_tally_row *rows, size_t n)
{
	uint64_t edges[CP_PAIRS_BINS + 1], base = recipe * CP_PAIRS_BINS;
	struct cp_axis x = time_axis(p, p->lengths.width);
	struct cp_axis y = { .name = "time", .type = CP_COL_TIME };
	struct cp_grid *grid;
	size_t first, last;
	char slug[128], title[128];

	for (first = 0; first < n && rows[first].a < base; first++)
		;
	for (last = first; last < n && rows[last].a < base + CP_PAIRS_BINS;
	     last++)
		;
	if (first == last)
		return;
	base = rows[first].a;
	y.count = (uint32_t)(rows[last - 1].a - base) + 1;
	for (uint32_t i = 0; i <= y.count; i++)
		edges[i] =
		    cp_pair_bin((unsigned)(base - recipe * CP_PAIRS_BINS) + i);
	y.edges = edges;
	snprintf(slug, sizeof(slug), "pair-heat-%.100s",
	    p->recipes.all[recipe].name);
	snprintf(title, sizeof(title), "%.80s by length over time",
	    p->recipes.all[recipe].name);
	grid = cp_report_grid(rep, slug, title, &x, &y, "pairs", CP_COL_COUNT);
	for (; first < last; first++)
		cp_grid_add(grid, (uint32_t)rows[first].b,
		    (uint32_t)(rows[first].a - base), rows[first].weight);
}

static void
show_overlap(struct cp_pairs *p, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_RATE("At once"),
		CP_COUNT("Most at once"), CP_CLOCK("When"), CP_COUNT("Deepest"),
		CP_TEXT("Recipe") };
	struct cp_axis x = time_axis(p, p->overlap.width);
	struct cp_axis y = { .name = "recipe", .type = CP_COL_TEXT };
	uint64_t end = p->last < p->to ? p->last : p->to, *time, *line;
	uint64_t length = cp_run_kept_ns(p->run, p->first, end);
	struct cp_tally_row *rows;
	size_t n = cp_buckets_rows(&p->overlap, &rows);
	const char **names;
	struct cp_table *t;
	struct cp_grid *grid;
	bool several = false;

	for (uint32_t i = 0; i < p->recipes.n; i++)
		several |= p->sum[i].most > 1;
	if (!several || n == 0)
		return;
	time = cp_run_alloc(p->run, p->recipes.n * sizeof(*time));
	line = cp_run_alloc(p->run, p->recipes.n * sizeof(*line));
	names = cp_run_alloc(p->run, p->recipes.n * sizeof(*names));
	for (size_t i = 0; i < n; i++)
		time[rows[i].a] += rows[i].weight;
	t = cp_report_table(rep, "pair-overlap", "Open at once, and how deep",
	    CP_COLUMNS(columns));
	for (uint32_t i = 0; i < p->recipes.n; i++) {
		if (p->sum[i].most == 0 || time[i] == 0)
			continue;
		line[i] = y.count;
		names[y.count++] = p->recipes.all[i].name;
		cp_table_add(t, (double)time[i] / (double)length,
		    p->sum[i].most, p->sum[i].most_at, p->sum[i].deepest,
		    p->recipes.all[i].name);
	}
	cp_table_sort(t, "At once");
	y.labels = names;
	grid = cp_report_grid(rep, "pair-overlap-heat",
	    "Open at once over time, on average", &x, &y, "open at once",
	    CP_COL_RATE);
	cp_grid_merge(grid, CP_MERGE_MEAN);
	for (size_t i = 0; i < n; i++) {
		uint64_t since = rows[i].b * x.step,
			 width = end - p->first - since;

		width = width < x.step ? width : x.step;
		width = cp_run_kept_ns(
		    p->run, p->first + since, p->first + since + width);
		if (width != 0 && p->sum[rows[i].a].most != 0)
			cp_grid_add(grid, (uint32_t)rows[i].b,
			    (uint32_t)line[rows[i].a],
			    1000 * rows[i].weight / width);
	}
}

void
cp_pairs_over_time(struct cp_pairs *p, struct cp_report *rep,
    const uint32_t *recipes, uint32_t n)
{
	struct cp_tally_row *rows;
	size_t all;

	if (p->last <= p->first || p->to <= p->first)
		return;
	all = cp_buckets_rows(&p->lengths, &rows);
	for (uint32_t i = 0; i < n; i++)
		show_lengths(p, rep, recipes[i], rows, all);
	show_overlap(p, rep);
}
