/* SPDX-License-Identifier: MIT */
#include "analyses/diff/between.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/diff/degrees.h"
#include "analyses/diff/tails.h"

/* Rows with fewer samples in a run do not show how much runs differ. */
#define MIN_HEAVY_SAMPLES 50
/* Fewer rows do not show how far most of them moved. */
#define MIN_ROWS 6
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
/* Chance is below this standard score once in twenty. */
#define LEAST (-1.645)
#define PI 3.14159265358979
/* The dispersion that slices show even if samples come one by one. */
#define USUAL_DISPERSION 1.3

static uint32_t
runs_of(const struct cp_diff_runs *r)
{
	return r->before + r->after;
}

/* Returns the mean cost of a side. */
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

/* Returns how far the cost of a run is from its side's mean, relative to it. */
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

/* The heavy rows, given by their first cell. */
struct heavy {
	const struct cp_diff_cell **row;
	double *value; /* scratch: one value for each row */
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

/*
 * Returns the mean square of this number of normal deviates that chance exceeds
 * as rarely as the score, relative to the expected one (Wilson and Hilferty
 * 1931).
 */
static double
mean_at(double score, double degrees)
{
	double v = 2 / (9 * degrees);

	return pow(fmax(0, 1 - v + score * sqrt(v)), 3);
}

/* ------------------------------------------------------------ several runs */

/* Returns the weight of a row in estimates of what all rows do in a run. */
static double
trust(const struct cp_diff_runs *r, const struct cp_diff_cell *c)
{
	return 1 / (cp_diff_sampling(r, c) + 0.001);
}

/* Finds the effect of each run: what all functions do together. */
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

/*
 * Estimates how much the rows' variances agree: the prior with which a row's
 * own variance is moderated (Smyth 2004).
 */
static double
prior_degrees(const struct cp_diff_runs *r, struct heavy *h)
{
	double mean = 0, sum = 0, degrees = runs_of(r) - 2;

	if (h->n < MIN_ROWS)
		return CP_DIFF_MIN_PRIOR;
	for (size_t i = 0; i < h->n; i++) {
		double expected = cp_diff_sampling(r, h->row[i]) + r->own.value;

		h->value[i] =
		    log(cp_diff_observed(r, h->row[i]).value / expected + 1e-6);
		mean += h->value[i] / (double)h->n;
	}
	for (size_t i = 0; i < h->n; i++)
		sum += (h->value[i] - mean) * (h->value[i] - mean);
	return cp_diff_degrees_of_logs(sum / (double)(h->n - 1), degrees);
}

/* Adds the products of a row's deviations to those of each pair of runs. */
static void
add_products(const struct cp_diff_runs *r, const struct cp_diff_cell *c,
    double *left, double *products)
{
	double mean[2] = { mean_of(r, c, false), mean_of(r, c, true) };
	double root = sqrt(trust(r, c));

	for (uint32_t a = 0; a < runs_of(r); a++) {
		left[a] = root * (deviation(r, c, mean, a) - r->effect[a]);
		for (uint32_t b = 0; b <= a; b++)
			*products++ += left[a] * left[b];
	}
}

static double
degrees_of_sum(const struct cp_diff_runs *r, struct cp_run *run,
    const struct heavy *h, double sum)
{
	size_t n = runs_of(r);
	double *left = cp_run_alloc(run, n * sizeof(*left));
	double *products = cp_run_alloc(run, n * n * sizeof(*products));

	for (size_t i = 0; i < h->n; i++)
		add_products(r, h->row[i], left, products);
	return cp_diff_degrees_of_sum(products, runs_of(r), sum);
}

static double
mean_dispersion(const struct cp_diff_runs *r, const struct cp_diff_cell *c)
{
	double sum = 0;

	for (uint32_t i = 0; i < runs_of(r); i++)
		sum += fmax(1, c[i].dispersion);
	return sum / runs_of(r);
}

/* Returns the largest part of what slices show that the runs allow. */
static double
bursts_allowed(
    const struct cp_diff_runs *r, struct cp_run *run, const struct heavy *h)
{
	double seen = 0, told = 0, chance;

	for (size_t i = 0; i < h->n; i++) {
		const struct cp_diff_cell *c = h->row[i];
		double w = trust(r, c);

		seen += w * cp_diff_observed(r, c).value;
		told += w * cp_diff_sampling(r, c) * mean_dispersion(r, c);
	}
	chance = mean_at(LEAST, degrees_of_sum(r, run, h, seen));
	return seen < told * chance ? seen / (told * chance) : 1;
}

static void
from_runs(struct cp_diff_runs *r, struct cp_run *run, struct heavy *h)
{
	double sum = 0, all = 0;

	for (size_t i = 0; i < h->n; i++) {
		const struct cp_diff_cell *c = h->row[i];
		double w = trust(r, c);

		sum +=
		    w * (cp_diff_observed(r, c).value - cp_diff_sampling(r, c));
		all += w;
	}
	/* Estimating the effects used up the freedom of one row. */
	if (h->n > 1)
		sum *= (double)h->n / (double)(h->n - 1);
	r->own.value = all > 0 ? fmax(0, sum / all) : r->noise * r->noise;
	r->own.degrees = prior_degrees(r, h);
	r->bursts = bursts_allowed(r, run, h);
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

/* Returns the row at which half of the weight is reached. */
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
	double z = fmin(sqrt(MOST_SQUARE), cp_diff_normal_score(dropped / 2));
	double inside = erf(z / sqrt(2)) - sqrt(2 / PI) * z * exp(-z * z / 2);
	double at_top = erfc(z / sqrt(2)) - dropped;

	return (inside + z * z * at_top) / (1 - dropped);
}

/*
 * Cuts the weight of the heaviest rows to that of the next: they may be the
 * ones that changed.  Returns the number of equal rows that they are worth.
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

/*
 * Computes the rows' ratios.  Returns the number of rows that they are worth.
 */
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

/*
 * Estimates what each function differs by from how far they went apart: the
 * most that this allows, and what there must be if chance does not explain it.
 */
static void
from_spread(struct cp_diff_runs *r, struct cp_run *run, struct heavy *h)
{
	struct ratio *at = cp_run_alloc(run, (h->n + 1) * sizeof(*at));
	double middle, rows, left, expected;

	r->own = (struct cp_diff_variance){ 0, 1 };
	if (h->n < MIN_ROWS)
		return;
	rows = find_ratios(r, h, at);
	r->own.degrees = fmax(1, rows / 2);
	if (rows < MIN_ROWS)
		return;
	left = rows - SUSPECTS;
	expected = mean_by_chance(rows);
	qsort(at, h->n, sizeof(*at), compare_logs);
	middle = middle_of(at, h->n)->log;
	r->most =
	    variance_for(at, h->n, middle, expected * mean_at(LEAST, left));
	/*
	 * If the rows left out have changed, the others are an ordinary sample.
	 */
	if (mean_square(at, h->n, middle, 0) >
	    MEAN_SQUARE * mean_at(SURE, left))
		r->own.value = variance_for(at, h->n, middle, expected);
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
	from_runs(r, run, &h);
}
