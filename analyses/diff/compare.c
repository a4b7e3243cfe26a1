/* SPDX-License-Identifier: MIT */
/* compare: two sides, from the numbers of their runs to the verdicts. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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
	cp_diff_profiles_match(&d->profiles, d->runs.before);
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

/* ----------------------------------------------- what cannot be compared */

void
cp_diff_remark(struct cp_diff *d, const char *fmt, ...)
{
	char text[600];
	va_list ap;

	if (d->n_remarks == CP_DIFF_REMARKS)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	d->remark[d->n_remarks++] = cp_diff_copy(d->run, text, strlen(text));
}

static const char *
missing(const struct cp_diff_profile *p)
{
	if (p->samples == 0)
		return "samples";
	return p->same_event ? "cost" : "event";
}

const char *
cp_diff_lacks(const struct cp_diff *d)
{
	const struct cp_diff_profile *p = d->profiles.all;
	const struct cp_diff_profile *first = cp_diff_first(&d->profiles);
	char text[1000];

	for (uint32_t r = 0; r < d->n_runs; r++) {
		if (p[r].weight > 0 && p[r].same_event)
			continue;
		snprintf(text, sizeof(text), "%.600s (%s) has no %s%s%.200s",
		    p[r].name, r < d->runs.before ? "before" : "after",
		    missing(&p[r]),
		    first != NULL && &p[r] != first ? " of " : "",
		    first != NULL && &p[r] != first ? first->event : "");
		return cp_diff_copy(d->run, text, strlen(text));
	}
	return NULL;
}
