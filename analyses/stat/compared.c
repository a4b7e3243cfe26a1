/* SPDX-License-Identifier: MIT */
#include "analyses/stat/compared.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool
cp_counts_take(struct cp_run *run, struct cp_counted *to)
{
	const struct cp_stat *all = cp_run_counted(run);
	size_t n = all != NULL ? cp_counts_totals(run, NULL, 0) : 0;

	*to = (struct cp_counted){ .n = n };
	if (all == NULL)
		return false;
	to->all = cp_run_alloc(run, (n + 1) * sizeof(*to->all));
	cp_counts_totals(run, to->all, n);
	to->elapsed = all->elapsed;
	return true;
}

/* The n-th event of that name: perf stat may count one twice. */
static const struct cp_count *
find(const struct cp_counted *in, const char *event, size_t n)
{
	for (size_t i = 0; i < in->n; i++)
		if (strcmp(in->all[i].event, event) == 0 && n-- == 0)
			return &in->all[i];
	return NULL;
}

/* What one side has of an event: means over its captures. */
struct side {
	double count, metric, counted;
	uint32_t n; /* captures that counted it */
};

static void
add(struct side *s, const struct cp_count *c)
{
	if (c == NULL || isnan(c->count))
		return;
	s->count += c->count;
	s->metric += c->metric;
	s->counted = s->n == 0 ? c->counted : fmin(s->counted, c->counted);
	s->n++;
}

static void
mean(struct side *s)
{
	s->count /= s->n;
	s->metric /= s->n;
}

static double
change(double before, double after)
{
	return before > 0 ? after / before - 1 : NAN;
}

static void
row(struct cp_table *t, const struct cp_count *of, struct side side[2])
{
	double by = change(side[0].count, side[1].count);

	cp_table_add(t, cp_cell_value(by, NAN, NAN), side[0].count,
	    side[1].count, of->unit, of->event, side[0].metric, side[1].metric,
	    isnan(side[0].metric + side[1].metric) ? "" : of->of,
	    fmin(side[0].counted, side[1].counted));
}

static void
elapsed_row(struct cp_table *t, const struct cp_counted *all, uint32_t n,
    uint32_t baseline)
{
	struct cp_count of = { .event = "elapsed", .unit = "s", .metric = NAN };
	struct side side[2] = { 0 };

	of.counted = 1;
	for (uint32_t i = 0; i < n; i++) {
		of.count = (double)all[i].elapsed / 1e9;
		add(&side[i >= baseline], &of);
	}
	mean(&side[0]);
	mean(&side[1]);
	row(t, &of, side);
}

void
cp_counts_compare(struct cp_report *rep, const struct cp_counted *all,
    uint32_t n, uint32_t baseline)
{
	static const struct cp_column_spec columns[] = { CP_CHANGE("Change"),
		CP_NUMBER("Before"), CP_NUMBER("After"), CP_TEXT("Unit"),
		CP_TEXT("Event"), CP_NUMBER("Metric before"),
		CP_NUMBER("Metric after"), CP_TEXT("Of"), CP_SHARE("Counted") };
	struct cp_table *t = cp_report_table(
	    rep, "counts", "Counts, means of each side", CP_COLUMNS(columns));
	double least = 1;

	elapsed_row(t, all, n, baseline);
	for (size_t e = 0; e < all[0].n; e++) {
		const struct cp_count *of = &all[0].all[e];
		struct side side[2] = { 0 };
		size_t nth = 0;

		for (size_t i = 0; i < e; i++)
			nth += strcmp(all[0].all[i].event, of->event) == 0;
		for (uint32_t i = 0; i < n; i++)
			add(&side[i >= baseline],
			    find(&all[i], of->event, nth));
		if (side[0].n == 0 || side[1].n == 0) {
			cp_report_note(rep,
			    "%s was counted on one side only, or on none",
			    of->event);
			continue;
		}
		mean(&side[0]);
		mean(&side[1]);
		least = fmin(least, fmin(side[0].counted, side[1].counted));
		row(t, of, side);
	}
	/* Only in captures after the first one. */
	for (uint32_t i = 1; i < n; i++)
		for (size_t e = 0; e < all[i].n; e++)
			if (find(&all[0], all[i].all[e].event, 0) == NULL)
				cp_report_note(rep,
				    "%s was counted on one side only, or on "
				    "none",
				    all[i].all[e].event);
	if (least < 0.99)
		cp_report_note(rep,
		    "events took turns, and one was counted for %.1f %% of the "
		    "time: a change of scaled counts may be chance",
		    100 * least);
	cp_report_note(rep,
	    "perf stat made these captures: they have counts and no samples; "
	    "how much runs differ is not known from %s",
	    n == 2 ? "one on each side" : "means");
}
