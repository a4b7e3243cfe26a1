/* SPDX-License-Identifier: MIT */
#include "analyses/diff/between.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/diff/tails.h"

/* Rows with fewer samples in a run do not tell how much runs differ. */
#define MIN_HEAVY_SAMPLES 50
/* Rows fewer than this do not tell how far most go. */
#define MIN_ROWS 6
/* How many runs' worth the knowledge of all rows counts for, at most. */
#define MAX_PRIOR 60.0
#define MIN_PRIOR 3.0
/* So many rows may be what changed. */
#define SUSPECTS 2
/*
 * Distances count for no more, squared and in standard deviations; the mean
 * and the standard deviation of that, of a normal deviate.
 */
#define MOST_SQUARE 9.0
#define MEAN_SQUARE 0.995
#define DEVIATION 1.379
/* The standard score that chance exceeds once in a hundred. */
#define SURE 2.326
#define PI 3.14159265358979
/* What slices of samples that come one by one show. */
#define USUAL_DISPERSION 1.3

static uint32_t
runs_of(const struct cp_diff_runs *r)
{
	return r->before + r->after;
}

/* The mean cost of a side. */
static double
mean_of(const struct cp_diff_runs *r, const struct cp_diff_cell *c, bool after)
{
	uint32_t from = after ? r->before : 0;
	uint32_t to = after ? runs_of(r) : r->before;
	double sum = 0;

	for (uint32_t i = from; i < to; i++)
		sum += c[i].weight / r->norm[i];
	return sum / (to - from);
}

/* How far the cost of a run is from its side's mean, as a part of that. */
static double
deviation(const struct cp_diff_runs *r, const struct cp_diff_cell *c,
    const double mean[2], uint32_t run)
{
	double m = mean[run >= r->before];

	return m > 0 ? c[run].weight / r->norm[run] / m - 1 : 0;
}

double
cp_diff_sampling(const struct cp_diff_runs *r, const struct cp_diff_cell *c)
{
	uint32_t n = runs_of(r);
	double cost = 0, sq = 0;

	for (uint32_t i = 0; i < n; i++) {
		cost += c[i].weight / r->norm[i] / n;
		sq += c[i].weight_sq / (r->norm[i] * r->norm[i]) / n;
	}
	return cost > 0 ? sq / (cost * cost) : 0;
}

struct cp_diff_variance
cp_diff_observed(const struct cp_diff_runs *r, const struct cp_diff_cell *c)
{
	double mean[2] = { mean_of(r, c, false), mean_of(r, c, true) };
	struct cp_diff_variance out = { 0 };

	for (uint32_t i = 0; i < runs_of(r); i++) {
		double effect = r->effect != NULL ? r->effect[i] : 0;
		double d = deviation(r, c, mean, i) - effect;

		if (mean[i >= r->before] > 0)
			out.value += d * d;
	}
	out.degrees = mean[0] > 0 ? r->before - 1 : 0;
	out.degrees += mean[1] > 0 ? r->after - 1 : 0;
	out.value = out.degrees > 0 ? out.value / out.degrees : 0;
	return out;
}

static bool
is_heavy(const struct cp_diff_cell *c, uint32_t runs)
{
	for (uint32_t i = 0; i < runs; i++)
		if (c[i].samples < MIN_HEAVY_SAMPLES)
			return false;
	return true;
}

/* The heavy rows, by their first cell. */
struct heavy {
	const struct cp_diff_cell **row;
	double *value; /* room for one of each */
	size_t n;
};

static struct heavy
find_heavy(const struct cp_diff_runs *r, struct cp_run *run,
    const struct cp_diff_cell *cells, size_t n_rows)
{
	struct heavy h = { .row =
			       cp_run_alloc(run, (n_rows + 1) * sizeof(*h.row)),
		.value = cp_run_alloc(run, (n_rows + 1) * sizeof(*h.value)) };

	for (size_t i = 0; i < n_rows; i++)
		if (is_heavy(&cells[i * runs_of(r)], runs_of(r)))
			h.row[h.n++] = &cells[i * runs_of(r)];
	return h;
}

/* ------------------------------------------------------------ several runs */

/* How well a row knows what its runs do; none counts for all. */
static double
trust(const struct cp_diff_runs *r, const struct cp_diff_cell *c)
{
	return 1 / (cp_diff_sampling(r, c) + 0.001);
}

/* The effect of each run: what all functions do together. */
static void
find_effects(struct cp_diff_runs *r, struct cp_run *run, const struct heavy *h)
{
	double *effect = cp_run_alloc(run, runs_of(r) * sizeof(*effect));
	double all = 0, sum = 0;

	for (size_t i = 0; i < h->n; i++) {
		const struct cp_diff_cell *c = h->row[i];
		double mean[2] = { mean_of(r, c, false), mean_of(r, c, true) };
		double w = trust(r, c);

		all += w;
		for (uint32_t k = 0; k < runs_of(r); k++)
			effect[k] += w * deviation(r, c, mean, k);
	}
	for (uint32_t k = 0; k < runs_of(r) && all > 0; k++) {
		effect[k] /= all;
		sum += effect[k] * effect[k];
	}
	r->effect = effect;
	r->common.degrees = runs_of(r) - 2;
	r->common.value = sum / r->common.degrees;
}

/* psi'(x): by its asymptotic series, from 6 on (DLMF 5.15.8). */
static double
trigamma(double x)
{
	double sum = 0, y;

	for (; x < 6; x++)
		sum += 1 / (x * x);
	y = 1 / (x * x);
	return sum + 1 / x + y / 2 +
	       y / x * (1.0 / 6 - y * (1.0 / 30 - y / 42));
}

/* The degrees of freedom that make logarithms of variances vary so. */
static double
degrees_from(double variance)
{
	double low = MIN_PRIOR, high = MAX_PRIOR;

	for (unsigned i = 0; i < 50; i++) {
		double middle = (low + high) / 2;

		if (trigamma(middle / 2) > variance)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}

/* How much the rows' variances agree: what a row's own is moderated by. */
static double
prior_degrees(const struct cp_diff_runs *r, struct heavy *h)
{
	double mean = 0, sum = 0, degrees = runs_of(r) - 2;

	if (h->n < MIN_ROWS)
		return MIN_PRIOR;
	for (size_t i = 0; i < h->n; i++) {
		double expected = cp_diff_sampling(r, h->row[i]) + r->own.value;

		h->value[i] =
		    log(cp_diff_observed(r, h->row[i]).value / expected + 1e-6);
		mean += h->value[i] / (double)h->n;
	}
	for (size_t i = 0; i < h->n; i++)
		sum += (h->value[i] - mean) * (h->value[i] - mean);
	return degrees_from(sum / (double)(h->n - 1) - trigamma(degrees / 2));
}

static void
from_runs(struct cp_diff_runs *r, struct heavy *h)
{
	double sum = 0, all = 0;

	for (size_t i = 0; i < h->n; i++) {
		const struct cp_diff_cell *c = h->row[i];
		double w = trust(r, c);

		sum +=
		    w * (cp_diff_observed(r, c).value - cp_diff_sampling(r, c));
		all += w;
	}
	/* The effects took one row's worth away. */
	if (h->n > 1)
		sum *= (double)h->n / (double)(h->n - 1);
	r->own.value = all > 0 ? fmax(0, sum / all) : r->noise * r->noise;
	r->own.degrees = prior_degrees(r, h);
}

/* ------------------------------------------------------- one run each side */

struct ratio {
	double log, variance;
	double weight;
};

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

/* Where half of the weight is reached. */
static const struct ratio *
middle_of(const struct ratio *at, size_t n)
{
	double all = 0, sum = 0;

	for (size_t i = 0; i < n; i++)
		all += at[i].weight;
	for (size_t i = 0; i < n; i++) {
		sum += at[i].weight;
		if (sum >= all / 2)
			return &at[i];
	}
	return &at[n - 1];
}

/*
 * The mean square of the distances, in what sampling and so much more make
 * one, without the SUSPECTS largest; others count for MOST_SQUARE at most.
 */
static double
mean_square(const struct ratio *at, size_t n, double middle, double spread)
{
	double sum = 0, all = 0, top[SUSPECTS] = { 0 },
	       dropped[SUSPECTS] = { 0 };

	for (size_t i = 0; i < n; i++) {
		double d = at[i].log - middle, w = at[i].weight;
		double square = d * d / (at[i].variance + spread);

		/* The largest so far move down; the least of them counts. */
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

/* What chance makes of that, if nothing changed. */
static double
mean_by_chance(double rows)
{
	double dropped = SUSPECTS / rows;
	double z = fmin(sqrt(MOST_SQUARE), cp_diff_normal_score(dropped / 2));
	double inside = erf(z / sqrt(2)) - sqrt(2 / PI) * z * exp(-z * z / 2);
	double at_top = erfc(z / sqrt(2)) - dropped;

	return (inside + z * z * at_top) / (1 - dropped);
}

/*
 * The heaviest rows count for no more than the next: they may be what changed.
 * Answers how many equal rows they are worth.
 */
static double
level_weights(const struct heavy *h, struct ratio *at)
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

/* The rows' ratios; answers how many rows that is worth. */
static double
find_ratios(
    const struct cp_diff_runs *r, const struct heavy *h, struct ratio *at)
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

static void
from_spread(struct cp_diff_runs *r, struct cp_run *run, struct heavy *h)
{
	struct ratio *at = cp_run_alloc(run, (h->n + 1) * sizeof(*at));
	double middle, low = 0, high = 4, rows, expected, sure;

	r->own = (struct cp_diff_variance){ 0, 1 };
	if (h->n < MIN_ROWS)
		return;
	rows = find_ratios(r, h, at);
	r->own.degrees = fmax(1, rows / 2);
	if (rows < MIN_ROWS)
		return;
	qsort(at, h->n, sizeof(*at), compare_logs);
	middle = middle_of(at, h->n)->log;
	/* If those left out have changed, the others are all of the usual. */
	sure = MEAN_SQUARE + SURE * DEVIATION / sqrt(rows - SUSPECTS);
	if (mean_square(at, h->n, middle, 0) < sure)
		return;
	expected = mean_by_chance(rows);
	for (unsigned i = 0; i < 40; i++) {
		double half = (low + high) / 2;

		if (mean_square(at, h->n, middle, half) > expected)
			low = half;
		else
			high = half;
	}
	r->own.value = low / 2;
}

static void
find_concentration(
    struct cp_diff_runs *r, const struct cp_diff_cell *cells, size_t n_rows)
{
	uint32_t n = runs_of(r);

	r->concentration = 0;
	for (size_t i = 0; i < n_rows; i++) {
		double share =
		    r->total[0] > 0 ? cells[i * n].weight / r->total[0] : 0;

		r->concentration += share * share;
	}
}

void
cp_diff_between(struct cp_diff_runs *r, struct cp_run *run,
    const struct cp_diff_cell *cells, size_t n_rows)
{
	struct heavy h = find_heavy(r, run, cells, n_rows);

	find_concentration(r, cells, n_rows);
	if (runs_of(r) == 2) {
		from_spread(r, run, &h);
		return;
	}
	find_effects(r, run, &h);
	from_runs(r, &h);
}
