/* SPDX-License-Identifier: MIT */
/*
 * beyond: whether a function changed by more than the others did.
 *
 * Of one run on each side, a change of everything may be the machine's: a host
 * that is shared makes runs of the same cost twice as much, and functions not
 * by the same factor.  Whether a function changed by itself, only the others
 * can witness.
 */
#include <math.h>
#include <stdlib.h>

#include "analyses/diff/diff.h"
#include "analyses/diff/tails.h"

/* The variance of a median of many normal values, by that of their mean. */
#define MEDIAN_VARIANCE 1.5707963267948966

/* The logarithm of a row's ratio, and what it varies by. */
struct witness {
	double log, weight;
	double sampling, runs; /* variances */
	uint32_t symbol;
};

struct cp_diff_witnesses {
	struct witness *row; /* in order of their logarithms */
	size_t n;
	double weight;
};

static double
share_of(const struct cp_diff *d, uint32_t s)
{
	const struct cp_diff_cell *c = &d->cell[(size_t)s * d->n_runs];
	double share = 0;

	for (uint32_t i = 0; i < d->n_runs; i++)
		share = fmax(share, c[i].weight / d->runs.total[i]);
	return share;
}

/*
 * Returns what a row says.  Runs of the same make it differ as much as parts
 * do that vary independently and add up to what runs differ by.
 */
static struct witness
witness_of(const struct cp_diff *d, uint32_t s)
{
	double runs = 2 * d->noise * d->noise;
	double sampling = cp_diff_chance(d, s);

	return (struct witness){ .log = log1p(d->result[s].change),
		.weight = 1 / (sampling + runs + 1e-9),
		.sampling = sampling,
		.runs = runs / share_of(d, s),
		.symbol = s };
}

static int
compare(const void *pa, const void *pb)
{
	const struct witness *a = pa, *b = pb;

	if (a->log < b->log || a->log > b->log)
		return a->log < b->log ? -1 : 1;
	return (a->symbol > b->symbol) - (a->symbol < b->symbol);
}

struct cp_diff_witnesses *
cp_diff_witnesses(const struct cp_diff *d)
{
	struct cp_diff_witnesses *w = cp_run_alloc(d->run, sizeof(*w));

	w->row =
	    cp_run_alloc(d->run, ((size_t)d->n_rows + 1) * sizeof(*w->row));
	for (uint32_t s = 0; s < d->n_rows; s++)
		if (cp_diff_shows_factor(&d->result[s])) {
			w->row[w->n] = witness_of(d, s);
			w->weight += w->row[w->n++].weight;
		}
	qsort(w->row, w->n, sizeof(*w->row), compare);
	return w;
}

/* Returns the weighted median of the others; false: there is none. */
static bool
others_than(
    const struct cp_diff_witnesses *w, uint32_t s, struct witness *middle)
{
	double sum = 0, half;

	*middle = (struct witness){ .weight = w->weight };
	for (size_t i = 0; i < w->n; i++)
		if (w->row[i].symbol == s)
			middle->weight -= w->row[i].weight;
	half = middle->weight / 2;
	for (size_t i = 0; i < w->n; i++) {
		const struct witness *r = &w->row[i];
		double part;

		if (r->symbol == s)
			continue;
		part = r->weight / middle->weight;
		if (sum < half)
			middle->log = r->log;
		sum += r->weight;
		middle->sampling += MEDIAN_VARIANCE * part * part * r->sampling;
		middle->runs += MEDIAN_VARIANCE * part * part * r->runs;
	}
	return sum > 0;
}

/* Returns whether it changed in the direction of everything. */
static bool
goes_along(const struct cp_diff *d, const struct cp_diff_result *r)
{
	bool more = r->change > 0, all_more = d->whole.change > 0;

	return r->samples_before != 0 && r->samples_after != 0 &&
	       more == all_more;
}

struct cp_diff_beyond
cp_diff_beyond(
    const struct cp_diff *d, const struct cp_diff_witnesses *w, uint32_t s)
{
	struct cp_diff_beyond p = { 0, 0 };
	struct witness row, others;
	double apart, sampling, runs;

	if (!goes_along(d, &d->result[s]))
		return p;
	row = witness_of(d, s);
	p.all = p.sampling = 1;
	if (!others_than(w, s, &others))
		return p;
	/* Less than the others, in their direction, is not beyond. */
	apart = row.log > 0 ? row.log - others.log : others.log - row.log;
	if (apart <= 0)
		return p;
	sampling = row.sampling + others.sampling;
	runs = row.runs + others.runs;
	p.all = cp_diff_t_tail(apart / sqrt(sampling + runs), CP_DIFF_MANY);
	p.sampling = cp_diff_t_tail(apart / sqrt(sampling), CP_DIFF_MANY);
	return p;
}
