/* SPDX-License-Identifier: MIT */
/*
 * homogeneity: whether all functions changed by about the same factor.
 *
 * A slower machine or clock makes everything slower alike, the kernel and
 * libraries included; a change of a program rarely does.  Costs cannot tell
 * the two apart, so the reader is told what else looks like this.
 */
#include <math.h>
#include <stdlib.h>

#include "analyses/diff/family.h"
#include "analyses/common/chance.h"

/* Rows with fewer samples on a side do not show a factor. */
#define MIN_SAMPLES 20
/* Fewer rows do not show that all changed. */
#define MIN_ROWS 6
/* Functions differ by this part of the change and are still about the same. */
#define ABOUT 0.2
/* Chance exceeds these standard scores once in 20 cases: up; on either side. */
#define RARE 1.645
#define RARE_EITHER 1.96
/* The factor of all but the largest function is known so well. */
#define SURE 3.0

/* The logarithm of a row's ratio, and what sampling makes it vary by. */
struct ratio {
	double log, variance;
};

/* Sums over ratios; weight: 1 / variance. */
struct sums {
	double weight, logs, squares;
	size_t n;
};

bool
cp_diff_shows_factor(const struct cp_diff_result *r)
{
	return r->samples_before >= MIN_SAMPLES &&
	       r->samples_after >= MIN_SAMPLES;
}

double
cp_diff_chance(const struct cp_diff *d, const struct cp_diff_subject *s)
{
	double dispersion = 0, sampling = s->result->sampling;

	for (uint32_t i = 0; i < d->n_runs; i++)
		dispersion += fmax(1, s->cells[i].dispersion) / d->n_runs;
	return sampling * sampling * dispersion;
}

static int
compare(const void *pa, const void *pb)
{
	const struct ratio *a = pa, *b = pb;

	return (a->variance > b->variance) - (a->variance < b->variance);
}

/* Returns the rows that show a factor, those that show it best first. */
static struct ratio *
collect(const struct cp_diff *d, size_t *n)
{
	struct ratio *r =
	    cp_run_alloc(d->run, ((size_t)d->n_rows + 1) * sizeof(*r));

	*n = 0;
	for (uint32_t s = 0; s < d->n_rows; s++) {
		struct cp_diff_subject row = cp_diff_function(d, s);

		if (cp_diff_shows_factor(row.result))
			r[(*n)++] = (struct ratio){ log1p(row.result->change),
				cp_diff_chance(d, &row) };
	}
	qsort(r, *n, sizeof(*r), compare);
	return r;
}

static struct sums
add_up(const struct ratio *r, size_t n, double tolerated)
{
	struct sums sum = { .n = n };

	for (size_t i = 0; i < n; i++) {
		double w = 1 / (r[i].variance + tolerated);

		sum.weight += w;
		sum.logs += w * r[i].log;
		sum.squares += w * r[i].log * r[i].log;
	}
	return sum;
}

static double
mean_of(const struct sums *s)
{
	return s->logs / s->weight;
}

/*
 * True if chance explains how far the rows are from their mean.  The sum of
 * squares is tested as chi-squared.
 */
static bool
is_homogeneous(const struct sums *s)
{
	double degrees = (double)s->n - 1;
	double square = s->squares - s->logs * mean_of(s);

	return square / degrees < cp_mean_square_at(RARE, degrees);
}

/* True if the factor is known so well, in standard deviations. */
static bool
shows_it(const struct sums *s, double factor, double deviations)
{
	return (factor > 0 ? s->logs : -s->logs) > deviations * sqrt(s->weight);
}

/*
 * True if the lighter half of the functions changed by the factor of the
 * heavier half.  The sum of squares over all functions does not show that many
 * light ones did not change.
 */
static bool
halves_agree(const struct ratio *r, size_t n, double factor, double about)
{
	struct sums large = add_up(r, n / 2, about);
	struct sums small = add_up(r + n / 2, n - n / 2, about);
	struct sums others = add_up(r + 1, n - 1, about);
	double apart = mean_of(&large) - mean_of(&small);

	return shows_it(&others, factor, SURE) &&
	       shows_it(&small, factor, RARE) &&
	       fabs(apart) < RARE_EITHER * sqrt(1 / large.weight +
						1 / small.weight + about);
}

static double
tolerated(double factor)
{
	return ABOUT * ABOUT * factor * factor;
}

double
cp_diff_alike(const struct cp_diff *d)
{
	size_t n;
	struct ratio *r = collect(d, &n);
	struct sums s = add_up(r, n, 0);
	double about;

	if (d->whole_verdict == CP_DIFF_SAME || n < MIN_ROWS)
		return 0;
	about = tolerated(mean_of(&s));
	s = add_up(r, n, about);
	if (!is_homogeneous(&s) || !halves_agree(r, n, mean_of(&s), about))
		return 0;
	return expm1(mean_of(&s));
}

bool
cp_diff_as_whole(
    const struct cp_diff *d, const struct cp_diff_subject *s, size_t questions)
{
	double all = log1p(d->alike), change = log1p(s->result->change);
	double error = sqrt(cp_diff_chance(d, s) + tolerated(all));

	return fabs(change - all) <
	       error * cp_t_quantile(d->alpha / (double)questions, INFINITY);
}
