/* SPDX-License-Identifier: MIT */
/*
 * spread: how much two runs differ beyond sampling, if each side has one, shown
 * by how far most functions moved apart from one another; and the factor that
 * most of them share.
 */
#include <math.h>
#include <stdlib.h>

#include "analyses/common/chance.h"
#include "analyses/diff/between.h"
#include "analyses/diff/statistics.h"

/* This many rows may be those that changed. */
#define SUSPECTS 2
/*
 * Squared distances, in standard deviations, are cut at this; then the mean of
 * the square of a normal deviate so cut.
 */
#define MOST_SQUARE 9.0
#define MEAN_SQUARE 0.995
/* Chance exceeds this standard score once in 400 cases. */
#define SURE 2.807
#define PI 3.14159265358979
/* The dispersion that slices show even if samples come one by one. */
#define USUAL_DISPERSION 1.3

/* Rows with fewer samples on a side do not help to find the scale. */
#define MIN_SCALE_SAMPLES 20.0

struct ratio {
	double log, variance, weight;
};
_Static_assert(sizeof(struct ratio) <= 24, "CP_HOLM_SCRATCH");

static double
row_variance(const struct cp_diff_runs *r, const struct cp_diff_cell *c)
{
	double sum = 0;

	for (uint32_t i = 0; i < 2; i++)
		sum += fmax(1, c[i].dispersion / USUAL_DISPERSION) *
		       c[i].weight_sq / (c[i].weight * c[i].weight);
	return sum + r->norm_var;
}

static int
compare_logs(const void *pa, const void *pb)
{
	const struct ratio *a = pa, *b = pb;

	return (a->log > b->log) - (a->log < b->log);
}

static int
compare(const void *pa, const void *pb)
{
	double a = *(const double *)pa, b = *(const double *)pb;

	return (a > b) - (a < b);
}

static void
swap(double *a, double *b)
{
	double t = *a;

	*a = *b;
	*b = t;
}

/* Sorts ratios, and returns the logarithm at which half of the weight is
 * reached. */
static double
median_of(struct ratio *r, size_t n)
{
	double all = 0, below = 0;

	qsort(r, n, sizeof(*r), compare_logs);
	for (size_t i = 0; i < n; i++)
		all += r[i].weight;
	for (size_t i = 0; i < n; i++) {
		below += r[i].weight;
		if (below > all / 2)
			return r[i].log;
		if (below >= all / 2 && i + 1 < n)
			return (r[i].log + r[i + 1].log) / 2;
	}
	return 0;
}

/*
 * Returns the mean square of the distances, in units of sampling with the
 * dispersion given, without the SUSPECTS largest; each is cut at MOST_SQUARE.
 */
static double
mean_square(const struct ratio *at, size_t n, double middle, double spread)
{
	double sum = 0, all = 0, top[SUSPECTS] = { 0 },
	       dropped[SUSPECTS] = { 0 };

	for (size_t i = 0; i < n; i++) {
		double d = at[i].log - middle, w = at[i].weight;
		double square = d * d / (at[i].variance + spread);

		/*
		 * Keeps the SUSPECTS + 1 largest values in order; the smallest
		 * of them counts.
		 */
		for (unsigned k = 0; k < SUSPECTS; k++)
			if (square > top[k]) {
				swap(&square, &top[k]);
				swap(&w, &dropped[k]);
			}
		sum += w * fmin(MOST_SQUARE, square);
		all += w;
	}
	return all > 0 ? sum / all : 0;
}

/* Returns the mean square that chance gives if nothing changed. */
static double
mean_by_chance(double rows)
{
	double dropped = SUSPECTS / rows;
	double z = fmin(sqrt(MOST_SQUARE), cp_normal_score(dropped / 2));
	double inside = erf(z / sqrt(2)) - sqrt(2 / PI) * z * exp(-z * z / 2);
	double at_top = erfc(z / sqrt(2)) - dropped;

	return (inside + z * z * at_top) / (1 - dropped);
}

/*
 * Cuts the weight of the heaviest rows to that of the next: they may be the
 * ones that changed.  Returns the number of equal rows that they are worth.
 */
static double
level_weights(const struct cp_diff_heavy *h, struct ratio *at)
{
	double sum = 0, squares = 0, usual;

	for (size_t i = 0; i < h->n; i++)
		h->value[i] = at[i].weight;
	qsort(h->value, h->n, sizeof(*h->value), compare);
	usual = h->value[h->n - SUSPECTS - 2];
	for (size_t i = 0; i < h->n; i++) {
		at[i].weight = fmin(at[i].weight, usual);
		sum += at[i].weight;
		squares += at[i].weight * at[i].weight;
	}
	return sum * sum / squares;
}

/*
 * Computes the rows' ratios.  Returns the number of rows that they are worth.
 */
static double
find_ratios(const struct cp_diff_runs *r, const struct cp_diff_heavy *h,
    struct ratio *at)
{

	for (size_t i = 0; i < h->n; i++) {
		const struct cp_diff_cell *c = h->row[i];

		at[i].log = log(c[1].weight / r->norm[1]) -
			    log(c[0].weight / r->norm[0]);
		at[i].variance = row_variance(r, c);
		at[i].weight =
		    1 / (at[i].variance + 2 * r->noise * r->noise + 1e-9);
	}
	return level_weights(h, at);
}

/* Returns the variance of a run that brings the mean square back to that. */
static double
variance_for(const struct ratio *at, size_t n, double middle, double square)
{
	double low = 0, high = 4;

	for (unsigned i = 0; i < 40; i++) {
		double half = (low + high) / 2;

		if (mean_square(at, n, middle, half) > square)
			low = half;
		else
			high = half;
	}
	return low / 2;
}

void
cp_diff_from_spread(
    struct cp_diff_runs *r, struct cp_run *run, struct cp_diff_heavy *h)
{
	struct ratio *at = cp_run_alloc(run, (h->n + 1) * sizeof(*at));
	double middle, rows, left, expected;

	r->own = (struct cp_diff_variance){ 0, 1 };
	if (h->n < CP_DIFF_MIN_ROWS)
		return;
	rows = find_ratios(r, h, at);
	r->own.degrees = fmax(1, rows / 2);
	if (rows < CP_DIFF_MIN_ROWS)
		return;
	left = rows - SUSPECTS;
	expected = mean_by_chance(rows);
	middle = median_of(at, h->n);
	r->most = variance_for(at, h->n, middle,
	    expected * cp_mean_square_at(CP_DIFF_LEAST, left));
	/*
	 * If the rows left out have changed, the others are an ordinary sample.
	 */
	if (mean_square(at, h->n, middle, 0) >
	    MEAN_SQUARE * cp_mean_square_at(SURE, left))
		r->own.value = variance_for(at, h->n, middle, expected);
}

/* ------------------------------------------------------------------- scale */

static double
effective(const struct cp_diff_cell *c)
{
	return c->weight_sq > 0 ? c->weight * c->weight / c->weight_sq : 0;
}

/*
 * Returns the mean of the rows that are no farther from the median than chance
 * explains.
 */
static double
mean_near(const struct ratio *r, size_t n, double median, double *out_var)
{
	double sum = 0, weight = 0, all = 0;

	for (size_t i = 0; i < n; i++) {
		all += r[i].weight;
		if (fabs(r[i].log - median) > 2.5 / sqrt(r[i].weight))
			continue;
		sum += r[i].log * r[i].weight;
		weight += r[i].weight;
	}
	if (weight < all / 2) {
		*out_var = acos(-1) / 2 / all;
		return median;
	}
	*out_var = 1.1 / weight;
	return sum / weight;
}

double
cp_diff_scale(const struct cp_diff_cell *from, const struct cp_diff_cell *to,
    size_t n, size_t stride, double noise, double *out_var, void *scratch)
{
	struct ratio *r = scratch;
	double median;
	size_t m = 0;

	*out_var = 0;
	for (size_t i = 0; i < n; i++) {
		const struct cp_diff_cell *a = &from[i * stride];
		const struct cp_diff_cell *b = &to[i * stride];
		double na = effective(a), nb = effective(b);

		if (na < MIN_SCALE_SAMPLES || nb < MIN_SCALE_SAMPLES)
			continue;
		r[m] = (struct ratio){ .log = log(b->weight / a->weight),
			.weight = 1 / (fmax(a->dispersion, 1) / na +
					  fmax(b->dispersion, 1) / nb +
					  2 * noise * noise) };
		m++;
	}
	if (m == 0)
		return 1;
	median = median_of(r, m);
	return exp(mean_near(r, m, median, out_var));
}
