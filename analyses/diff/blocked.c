/* SPDX-License-Identifier: MIT */
/*
 * blocked: what threads waited for longer or shorter than before.  A wait is
 * what a sample is for costs: how long each took says how much their sum
 * varies.
 */
#include <math.h>
#include <stdlib.h>

#include "analyses/diff/between.h"
#include "analyses/diff/family.h"

/* A row of the table: numbers of texts are in the index of waits. */
struct blocked {
	struct cp_diff_result result;
	uint32_t row;
	enum cp_diff_verdict verdict;
};

static int
compare(const void *pa, const void *pb)
{
	const struct blocked *a = pa, *b = pb;
	double da = fabs(a->result.after - a->result.before);
	double db = fabs(b->result.after - b->result.before);

	if ((a->verdict == CP_DIFF_CHANGED) != (b->verdict == CP_DIFF_CHANGED))
		return a->verdict == CP_DIFF_CHANGED ? -1 : 1;
	if (da < db || da > db)
		return da > db ? -1 : 1;
	return a->row < b->row ? -1 : a->row > b->row;
}

/* Tests all rows as functions are tested. */
static struct blocked *
test_all(const struct cp_diff *d, const struct cp_diff_cell *cells, uint32_t n)
{
	struct cp_diff_runs runs = d->whole_runs;
	struct blocked *w = cp_run_alloc(d->run, (n + 1) * sizeof(*w));
	struct cp_diff_family f = cp_diff_family_new(d->run, n);
	double *total = cp_run_alloc(d->run, d->n_runs * sizeof(*total));
	double weight = 0, sq = 0;

	for (size_t i = 0; i < (size_t)n * d->n_runs; i++) {
		total[i % d->n_runs] += cells[i].weight;
		weight += cells[i].weight;
		sq += cells[i].weight_sq;
	}
	runs.total = total;
	runs.unit = weight > 0 ? sq / weight : 1;
	cp_diff_between(&runs, d->run, cells, n);
	for (uint32_t i = 0; i < n; i++) {
		w[i].row = i;
		w[i].result =
		    cp_diff_test(&runs, &cells[(size_t)i * d->n_runs]);
		cp_diff_family_ask(&f, i, &w[i].result);
	}
	cp_diff_family_correct(d->run, &f);
	for (uint32_t i = 0; i < n; i++) {
		w[i].result.p = f.p[i];
		w[i].verdict = cp_diff_verdict_of(d, f.p[i], f.sampling[i]);
	}
	qsort(w, n, sizeof(*w), compare);
	return w;
}

void
cp_diff_blocked_show(const struct cp_diff *d, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_TEXT("Found"),
		CP_CHANGE("Change") };
	static const struct cp_column_spec columns_2[] = { CP_TIME("Before"),
		CP_TIME("After") };
	static const struct cp_column_spec columns_3[] = { CP_TEXT("Class"),
		CP_TEXT("Place") };
	const struct cp_index *rows = &d->waits.row;
	const struct cp_diff_cell *cells =
	    cp_diff_waits_cells(&d->waits, &d->profiles);
	struct cp_table *t;
	struct blocked *w;

	if (cells == NULL || rows->n == 0)
		return;
	w = test_all(d, cells, rows->n);
	t = cp_report_table(rep, "waits",
	    "Time blocked, by what it waited for and where",
	    CP_COLUMNS(columns));
	cp_diff_minor(t, "p", CP_COL_CHANCE);
	cp_table_columns(t, CP_COLUMNS(columns_2));
	cp_diff_minor(t, "Waits before", CP_COL_COUNT);
	cp_diff_minor(t, "Waits after", CP_COL_COUNT);
	cp_table_columns(t, CP_COLUMNS(columns_3));
	for (uint32_t i = 0; i < rows->n && (d->top == 0 || i < d->top); i++) {
		const struct cp_diff_result *r = &w[i].result;
		const struct cp_pair *texts = &rows->all[w[i].row];

		cp_table_add(t,
		    w[i].verdict == CP_DIFF_CHANGED     ? cp_diff_direction(r)
		    : w[i].verdict == CP_DIFF_UNDECIDED ? "undecided"
							: "",
		    cp_cell_value(r->change, r->lo, r->hi), r->p,
		    cp_diff_whole(r->before), cp_diff_whole(r->after),
		    r->samples_before, r->samples_after,
		    d->profiles.text[texts->a], d->profiles.text[texts->b]);
	}
	if (d->top != 0 && rows->n > d->top)
		cp_table_rest(t, rows->n - d->top, 0);
}
