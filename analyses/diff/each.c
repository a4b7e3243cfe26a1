/* SPDX-License-Identifier: MIT */
#include "analyses/diff/each.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyses/diff/between.h"

const char *
cp_diff_direction(const struct cp_diff_result *r)
{
	if (r->samples_before == 0)
		return "new";
	if (r->samples_after == 0)
		return "gone";
	return r->after > r->before ? "more" : "less";
}

struct cp_diff_change
cp_diff_change_of(const struct cp_diff_result *r)
{
	struct cp_diff_change c = { "new" };

	if (isfinite(r->change))
		snprintf(c.text, sizeof(c.text),
		    "%+.1f %% (%+.1f ... %+.1f %%)", r->change * 100,
		    r->lo * 100, r->hi * 100);
	return c;
}

/* One comparison: a run after, and the run before. */
struct pair {
	struct cp_diff_runs runs;
	double total[2], norm[2];
	struct cp_diff_cell *cell; /* by row * 2 */
};

static void
pair_fill(struct pair *p, struct cp_run *run, const struct cp_diff_questions *q,
    uint32_t with)
{
	uint32_t n = q->runs->before + q->runs->after;

	for (uint32_t i = 0; i < q->n_rows; i++) {
		p->cell[2 * (size_t)i] = q->cell[(size_t)i * n];
		p->cell[2 * (size_t)i + 1] = q->cell[(size_t)i * n + with];
	}
	p->total[0] = q->runs->total[0];
	p->total[1] = q->runs->total[with];
	p->norm[0] = q->runs->norm[0];
	p->norm[1] = q->runs->norm[with];
	p->runs = (struct cp_diff_runs){ .before = 1,
		.after = 1,
		.total = p->total,
		.norm = p->norm,
		.norm_var = q->norm_var[with],
		.noise = q->runs->noise,
		.unit = q->runs->unit };
	cp_diff_between(&p->runs, run, p->cell, q->n_rows);
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

/* Makes all comparisons, by row and run. */
static struct cp_diff_result *
test_all(struct cp_run *run, const struct cp_diff_questions *q)
{
	size_t after = q->runs->after, all = after * q->n_rows;
	struct cp_diff_result *r = cp_run_alloc(run, (all + 1) * sizeof(*r));
	struct pair p = { .cell = cp_run_alloc(run,
			      (2 * (size_t)q->n_rows + 1) * sizeof(*p.cell)) };

	for (uint32_t i = 0; i < after; i++) {
		pair_fill(&p, run, q, i + 1);
		for (size_t row = 0; row < q->n_rows; row++)
			r[row * after + i] =
			    cp_diff_test(&p.runs, &p.cell[2 * row]);
	}
	return r;
}

void
cp_diff_each_test(struct cp_diff_each *e, struct cp_run *run,
    const struct cp_diff_questions *q)
{
	size_t after = q->runs->after, all = after * q->n_rows;
	double *p = cp_run_alloc(run, (2 * all + 1) * sizeof(*p));
	double *weight = p + all;
	struct cp_diff_result *r = test_all(run, q);

	*e = (struct cp_diff_each){ 0 };
	for (size_t k = 0; k < all; k++) {
		p[k] = is_asked(q, &r[k], (uint32_t)(k / after),
			   (uint32_t)(k % after) + 1)
			   ? r[k].p
			   : (double)NAN;
		weight[k] = r[k].before + r[k].after;
		e->tested += !isnan(p[k]);
	}
	cp_diff_holm(p, weight, all, cp_run_alloc(run, CP_DIFF_SCRATCH(all)));
	for (size_t k = 0; k < all; k++)
		e->n += p[k] < q->alpha;
	e->found = cp_run_alloc(run, (e->n + 1) * sizeof(*e->found));
	e->n = 0;
	for (size_t k = 0; k < all; k++) {
		if (!(p[k] < q->alpha))
			continue;
		r[k].p = p[k];
		e->found[e->n++] = (struct cp_diff_answer){ r[k],
			(uint32_t)(k / after), (uint32_t)(k % after) + 1 };
	}
	qsort(e->found, e->n, sizeof(*e->found), compare);
}

/* Shows the part that a cost is of all of its capture. */
static void
share(
    struct cp_table *t, const struct cp_diff_runs *r, double cost, uint32_t run)
{
	double all = r->total[run] / r->norm[run];

	cp_table_cells(t, all > 0 ? cost / all : 0);
}

void
cp_diff_each_table(const struct cp_diff_each *e,
    const struct cp_diff_questions *q, struct cp_report *rep, uint64_t top)
{
	static const struct cp_column_spec columns[] = { CP_TEXT("Found"),
		CP_CHANGE("Change"), CP_CHANCE("p"), CP_SHARE("Before"),
		CP_SHARE("After"), CP_TEXT("Object"), CP_TEXT("Symbol"),
		CP_TEXT("Capture") };
	struct cp_table *t = cp_report_table(rep, "each",
	    "Change by symbol, each capture after by itself; shares are of "
	    "their capture",
	    CP_COLUMNS(columns));

	for (size_t i = 0; i < e->n && (top == 0 || i < top); i++) {
		const struct cp_diff_answer *a = &e->found[i];
		const struct cp_diff_result *r = &a->result;

		cp_table_add(t, cp_diff_direction(r),
		    cp_cell_value(r->change, r->lo, r->hi), r->p);
		share(t, q->runs, r->before, 0);
		share(t, q->runs, r->after, a->run);
		cp_table_cells(t, q->profiles->symbol[a->row].object,
		    q->profiles->symbol[a->row].name,
		    q->profiles->all[a->run].name);
	}
	if (top != 0 && e->n > top)
		cp_table_rest(t, e->n - top, 0);
}
