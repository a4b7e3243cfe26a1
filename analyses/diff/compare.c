/* SPDX-License-Identifier: MIT */
/* compare: two sides, from the numbers of their runs to the verdicts. */
#include <math.h>

#include "analyses/diff/diff.h"

/*
 * Several runs show whether a slow change inside a run is the same in each; one
 * run each cannot, and leaves it out.
 */
static double
dispersion_of(
    const struct cp_diff *d, const struct cp_diff_profile *pr, uint32_t symbol)
{
	const double *by = d->n_runs > 2 ? pr->slow : pr->dispersion;

	return symbol < pr->n_symbols ? by[symbol] : 0;
}

static void
cell_add(const struct cp_diff *d, struct cp_diff_cell *c,
    const struct cp_diff_profile *pr, uint32_t i)
{
	double dispersion = dispersion_of(d, pr, pr->symbol[i]);

	c->weight += pr->self[i];
	c->weight_sq += pr->self_sq[i];
	c->samples += pr->count[i];
	if (pr->symbol[i] < pr->n_symbols)
		c->occurrences =
		    fmax(c->occurrences, pr->occurrences[pr->symbol[i]]);
	if (pr->self[i] > 0)
		c->dispersion = fmax(
		    c->dispersion, dispersion > 0 ? dispersion : pr->typical);
}

static void
fill_cells(struct cp_diff *d)
{
	const struct cp_diff_profiles *p = &d->profiles;

	d->n_rows = p->keys.n;
	d->cell = cp_run_alloc(
	    d->run, ((size_t)d->n_rows + 1) * d->n_runs * sizeof(*d->cell));
	d->weight = cp_run_alloc(d->run, (d->n_rows + 1) * sizeof(*d->weight));
	d->interrupt =
	    cp_run_alloc(d->run, (d->n_rows + 1) * sizeof(*d->interrupt));
	for (uint32_t r = 0; r < d->n_runs; r++) {
		const struct cp_diff_profile *pr = &p->all[r];

		for (uint32_t i = 1; i < pr->n; i++) {
			uint32_t s = p->symbol[pr->symbol[i]].same;

			d->weight[s] += pr->self[i];
			if (pr->interrupted[i])
				d->interrupt[s] += pr->self[i];
			cell_add(d, &d->cell[(size_t)s * d->n_runs + r], pr, i);
		}
	}
}

static void
fill_runs(struct cp_diff *d)
{
	struct cp_diff_runs *runs = &d->runs;
	double *total = cp_run_alloc(d->run, d->n_runs * sizeof(*total));
	double weight = 0, sq = 0;

	runs->before = (uint32_t)d->baseline;
	runs->after = d->n_runs - runs->before;
	runs->noise = d->noise;
	runs->total = total;
	for (uint32_t r = 0; r < d->n_runs; r++) {
		total[r] = d->profiles.all[r].weight;
		weight += total[r];
		sq += d->profiles.all[r].weight_sq;
	}
	runs->unit = weight > 0 ? sq / weight : 1;
}

int
cp_diff_compare(struct cp_diff *d)
{
	d->n_runs = d->profiles.n;
	fill_runs(d);
	cp_diff_profiles_match(d, d->runs.before);
	cp_diff_levels_names(d);
	fill_cells(d);
	if (cp_diff_norms(d) != CP_OK)
		return CP_FAIL;
	cp_diff_pair_up(d);
	if (cp_diff_norms(d) != CP_OK)
		return CP_FAIL;
	cp_diff_levels_stacks(d);
	cp_diff_judge(d);
	cp_diff_totals(d);
	cp_diff_moves(d);
	return CP_OK;
}
