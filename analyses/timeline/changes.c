/* SPDX-License-Identifier: MIT */
/*
 * changes: the times at which the rate of samples changes, with windows to look
 * into.
 */
#include "analyses/timeline/timeline.h"

#include <stdio.h>
#include <stdlib.h>

#include "analyses/timeline/changepoints.h"

#define MAX_CHANGES 200
#define MAX_BINS 1500u

/*
 * Counts the event's samples between two times in bins wide enough to hold some
 * each.  All samples have these times: a late begin of this event is a change,
 * too.
 */
static struct series
series_of(struct timeline *t, uint64_t from, uint64_t to)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(t->heat.samples, &rows);
	uint64_t first = cp_timeline_since(t, from) / t->heat.slot;
	uint64_t last = cp_timeline_since(t, to) / t->heat.slot;
	uint64_t all = 0, by, bins;
	struct series s = { 0 };

	for (size_t i = 0; i < n; i++)
		if (rows[i].a == t->event && rows[i].b >= first &&
		    rows[i].b <= last)
			all += rows[i].weight;
	if (all == 0)
		return s;
	bins = all / 5 < 20 ? 20 : all / 5 > MAX_BINS ? MAX_BINS : all / 5;
	by = (last - first + bins) / bins;
	s.n = (uint32_t)((last - first + 1) / by);
	s.from = first * t->heat.slot;
	/* leaves out the last bin, which is not complete */
	s.to = (last + 1) * t->heat.slot;
	s.width = by * t->heat.slot;
	s.count = cp_run_alloc(t->run, ((size_t)s.n + 1) * sizeof(*s.count));
	for (size_t i = 0; i < n; i++)
		if (rows[i].a == t->event && rows[i].b >= first &&
		    (rows[i].b - first) / by < s.n)
			s.count[(rows[i].b - first) / by] +=
			    (double)rows[i].weight;
	return s;
}

/* Writes a window for --time: "+12.34,+15.6", from the start of the capture. */
static void
window_text(const struct timeline *t, uint64_t from, uint64_t to, char *out,
    size_t size)
{
	uint64_t start = cp_run_start(t->run);
	uint64_t shift = t->origin > start ? t->origin - start : 0;
	double a = (double)(from + shift) / 1e9;
	double b = (double)(to + shift) / 1e9;
	int digits = t->heat.slot >= 1000000 ? 3 : t->heat.slot >= 1000 ? 6 : 9;

	snprintf(out, size, "--time +%.*f,+%.*f", digits, a, digits, b);
}

static void
change_row(const struct timeline *t, struct cp_table *table,
    const struct series *s, const struct cp_changepoint *c, uint32_t end)
{
	uint64_t at = s->from + c->at * s->width;
	uint64_t to = end < s->n ? s->from + end * s->width : s->to;
	double second = 1e9 / (double)s->width;
	char text[100];

	cp_table_add(table, at + t->origin > cp_run_start(t->run)
				? at + t->origin - cp_run_start(t->run)
				: 0);
	if (!cp_run_wall_clock(t->run, t->origin + at, text, sizeof(text)))
		text[0] = '\0';
	cp_table_cells(table, text, c->before * second, c->after * second,
	    cp_cell_value(c->change, c->lo, c->hi));
	window_text(t, at, to, text, sizeof(text));
	cp_table_cells(table, text);
}

static int
compare_gain(const void *pa, const void *pb)
{
	double a = *(const double *)pa, b = *(const double *)pb;

	return (a < b) - (a > b);
}

/* Returns the smallest gain among the `top` best changes. */
static double
least_gain(const struct timeline *t, const struct cp_changepoint *c, size_t n)
{
	double *gain = cp_run_alloc(t->run, (n + 1) * sizeof(*gain));

	if (t->top == 0 || n <= t->top)
		return 0;
	for (size_t i = 0; i < n; i++)
		gain[i] = c[i].gain;
	qsort(gain, n, sizeof(*gain), compare_gain);
	return gain[t->top - 1];
}

void
cp_timeline_changes(struct timeline *t, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_TIME("At"),
		CP_PROSE("Wall clock"), CP_RATE("Before per s"),
		CP_RATE("After per s"), CP_CHANGE("Change"),
		CP_PROSE("Window") };
	static const char title[] = "Where the rate of samples changes, and "
				    "the window until the next change";
	const struct cp_quality *q = cp_run_quality(t->run);
	struct cp_table *table = NULL;
	struct cp_changepoint *c =
	    cp_run_alloc(t->run, MAX_CHANGES * sizeof(*c));
	uint64_t from = q->first_time, to = q->last_time, hidden = 0;
	char clock[64];

	if (!t->embedded)
		table =
		    cp_report_table(rep, "changes", title, CP_COLUMNS(columns));
	/* The rate in one window of --time is not compared with another's. */
	for (; cp_run_cut(t->run, &from, &to); from = to, to = q->last_time) {
		struct series s = series_of(t, from, to);
		size_t n =
		    cp_changepoints(t->run, s.count, s.n, MAX_CHANGES, c);
		double least = least_gain(t, c, n);

		if (n != 0 && table == NULL)
			table = cp_report_table(
			    rep, "changes", title, CP_COLUMNS(columns));
		for (size_t i = 0; i < n; i++)
			if (c[i].gain < least)
				hidden++;
			else
				change_row(t, table, &s, &c[i],
				    i + 1 < n ? c[i + 1].at : s.n);
		t->no_clock |= n != 0;
		if (n == 0 && cp_changepoints_tell(s.count, s.n))
			t->steady = s;
	}
	if (hidden != 0)
		cp_table_rest(table, hidden, 0);
	t->few = !t->no_clock && t->steady.n == 0;
	if (t->no_clock)
		t->steady.n = 0;
	t->no_clock &=
	    !cp_run_wall_clock(t->run, t->origin, clock, sizeof(clock));
}
