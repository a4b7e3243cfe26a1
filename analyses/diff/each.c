/* SPDX-License-Identifier: MIT */
#include "analyses/diff/each.h"

#include <math.h>
#include <stdlib.h>

const char *
cp_diff_direction(const struct cp_diff_result *r)
{
	if (r->samples_before == 0)
		return "new";
	if (r->samples_after == 0)
		return "gone";
	return r->after > r->before ? "more" : "less";
}

/* A row of the run and of the one before. */
static struct cp_diff_result
test(const struct cp_diff_questions *q, uint32_t row, uint32_t run)
{
	uint32_t n = q->runs->before + q->runs->after;
	const struct cp_diff_cell *cell = &q->cell[(size_t)row * n];
	struct cp_diff_cell pair[2] = { cell[0], cell[run] };
	const double total[2] = { q->runs->total[0], q->runs->total[run] };
	const double norm[2] = { q->runs->norm[0], q->runs->norm[run] };
	struct cp_diff_runs two = { .before = 1,
		.after = 1,
		.total = total,
		.norm = norm,
		.norm_var = q->norm_var[run],
		.noise = q->runs->noise,
		.unit = q->runs->unit };

	return cp_diff_test(&two, pair);
}

static bool
is_asked(const struct cp_diff_questions *q, const struct cp_diff_result *r,
    uint32_t row, uint32_t run)
{
	const struct cp_diff_runs *runs = q->runs;
	double all = runs->total[run] / runs->norm[run];

	return !q->skip[row] && !isnan(r->p) &&
	       (r->before >= q->min_share * runs->total[0] ||
		   r->after >= q->min_share * all);
}

static int
compare(const void *pa, const void *pb)
{
	const struct cp_diff_answer *a = pa, *b = pb;
	double da = fabs(a->result.after - a->result.before);
	double db = fabs(b->result.after - b->result.before);

	if (da < db || da > db)
		return da > db ? -1 : 1;
	if (a->run != b->run)
		return a->run < b->run ? -1 : 1;
	return a->row < b->row ? -1 : a->row > b->row;
}

void
cp_diff_each_test(struct cp_diff_each *e, struct cp_run *run,
    const struct cp_diff_questions *q)
{
	size_t after = q->runs->after, all = after * q->n_rows;
	double *p = cp_run_alloc(run, (all + 1) * sizeof(*p));
	struct cp_diff_result r;
	uint32_t row, i;

	*e = (struct cp_diff_each){ 0 };
	for (size_t k = 0; k < all; k++) {
		row = (uint32_t)(k / after);
		i = (uint32_t)(k % after) + 1;
		r = test(q, row, i);
		p[k] = is_asked(q, &r, row, i) ? r.p : (double)NAN;
		e->tested += !isnan(p[k]);
	}
	cp_diff_holm(p, all, cp_run_alloc(run, CP_DIFF_SCRATCH(all)));
	for (size_t k = 0; k < all; k++)
		e->n += p[k] < q->alpha;
	e->found = cp_run_alloc(run, (e->n + 1) * sizeof(*e->found));
	e->n = 0;
	for (size_t k = 0; k < all; k++) {
		if (!(p[k] < q->alpha))
			continue;
		row = (uint32_t)(k / after);
		i = (uint32_t)(k % after) + 1;
		r = test(q, row, i);
		r.p = p[k];
		e->found[e->n++] = (struct cp_diff_answer){ r, row, i };
	}
	qsort(e->found, e->n, sizeof(*e->found), compare);
}

void
cp_diff_each_table(const struct cp_diff_each *e,
    const struct cp_diff_questions *q, struct cp_report *rep, uint64_t top)
{
	struct cp_table *t = cp_report_table(
	    rep, "each", "Change by symbol, each capture after by itself");
	double all = q->runs->total[0];

	cp_table_column(t, "Found", CP_COL_TEXT);
	cp_table_column(t, "Change", CP_COL_CHANGE);
	cp_table_column(t, "p", CP_COL_CHANCE);
	cp_table_column(t, "Before", CP_COL_SHARE);
	cp_table_column(t, "After", CP_COL_SHARE);
	cp_table_column(t, "Object", CP_COL_TEXT);
	cp_table_column(t, "Symbol", CP_COL_TEXT);
	cp_table_column(t, "Capture", CP_COL_TEXT);
	for (size_t i = 0; i < e->n && (top == 0 || i < top); i++) {
		const struct cp_diff_answer *a = &e->found[i];
		const struct cp_diff_result *r = &a->result;

		cp_table_row(t);
		cp_table_text(t, cp_diff_direction(r));
		cp_table_value(t, r->change, r->lo, r->hi);
		cp_table_value(t, r->p, 1, 0);
		cp_table_value(t, r->before / all, 1, 0);
		cp_table_value(t, r->after / all, 1, 0);
		cp_table_text(t, q->profiles->symbol[a->row].object);
		cp_table_text(t, q->profiles->symbol[a->row].name);
		cp_table_text(t, q->profiles->all[a->run].name);
	}
	if (top != 0 && e->n > top)
		cp_table_rest(t, e->n - top, 0);
}
