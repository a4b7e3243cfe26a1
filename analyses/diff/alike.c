/* SPDX-License-Identifier: MIT */
/*
 * alike: whether all functions changed by about the same factor.
 *
 * A slower machine or clock makes everything slower alike, the kernel and
 * libraries included; a change of a program rarely does.  Costs cannot tell
 * the two apart, so the reader is told what else looks like this.
 */
#include <math.h>

#include "analyses/diff/diff.h"
#include "analyses/diff/tails.h"

/* Rows with fewer samples on a side do not show a factor. */
#define MIN_SAMPLES 20
/* Fewer rows do not show that all changed. */
#define MIN_ROWS 6
/* Functions differ by this part of the change and are still about the same. */
#define ABOUT 0.2
/* Chance exceeds this standard score once in 20 cases. */
#define RARE 1.645
/* The factor of all but the largest function is known so well. */
#define SURE 3.0

/* Sums over rows; weight: 1 / variance of the logarithm of a row's ratio. */
struct sums {
	double weight, logs, squares;
	double largest, largest_log; /* the row of the largest weight */
	uint32_t rows;
};

static bool
is_heavy(const struct cp_diff_result *r)
{
	return r->samples_before >= MIN_SAMPLES &&
	       r->samples_after >= MIN_SAMPLES;
}

/* Returns what sampling makes the logarithm of a row's ratio vary by. */
static double
variance_of(const struct cp_diff *d, uint32_t s)
{
	const struct cp_diff_result *r = &d->result[s];
	const struct cp_diff_cell *c = &d->cell[(size_t)s * d->n_runs];
	double dispersion = 0;

	for (uint32_t i = 0; i < d->n_runs; i++)
		dispersion += fmax(1, c[i].dispersion) / d->n_runs;
	return r->sampling * r->sampling * dispersion;
}

static struct sums
add_up(const struct cp_diff *d, double tolerated)
{
	struct sums sum = { 0 };

	for (uint32_t s = 0; s < d->n_rows; s++) {
		const struct cp_diff_result *r = &d->result[s];
		double change = log1p(r->change), w;

		if (!is_heavy(r))
			continue;
		w = 1 / (variance_of(d, s) + tolerated);
		sum.rows++;
		sum.weight += w;
		sum.logs += w * change;
		sum.squares += w * change * change;
		if (w > sum.largest) {
			sum.largest = w;
			sum.largest_log = change;
		}
	}
	return sum;
}

/*
 * True if chance explains how far the rows are from their mean.  The sum of
 * squares is tested as chi-squared (Wilson and Hilferty 1931).
 */
static bool
is_homogeneous(const struct sums *s)
{
	double mean = s->logs / s->weight, degrees = s->rows - 1;
	double square = s->squares - s->logs * mean;
	double v = 2 / (9 * degrees);

	return (cbrt(square / degrees) - (1 - v)) / sqrt(v) < RARE;
}

/* True if the others show it, too, without the largest row. */
static bool
others_show_it(const struct sums *s)
{
	double weight = s->weight - s->largest;
	double logs = s->logs - s->largest * s->largest_log;

	return weight > 0 && fabs(logs) > SURE * sqrt(weight);
}

double
cp_diff_alike(const struct cp_diff *d)
{
	struct sums s = add_up(d, 0);
	double factor;

	if (d->whole_verdict == CP_DIFF_SAME || s.rows < MIN_ROWS)
		return 0;
	factor = s.logs / s.weight;
	s = add_up(d, ABOUT * ABOUT * factor * factor);
	if (!is_homogeneous(&s) || !others_show_it(&s))
		return 0;
	return expm1(s.logs / s.weight);
}
