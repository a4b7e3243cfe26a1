/* SPDX-License-Identifier: MIT */
#include "analyses/diff/between.h"

#include <math.h>

#include "analyses/common/chance.h"

/* Rows with fewer samples in a run do not show how much runs differ. */
#define MIN_HEAVY_SAMPLES 50
/* The weights of rows depend on what rows are found to differ by. */
#define PASSES 4
/* The fewest and the most degrees that the variance of all rows counts for. */
#define MIN_PRIOR 3.0
#define MAX_PRIOR 60.0
/* More degrees make no difference. */
#define MOST_DEGREES 1000.0

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

static struct cp_diff_heavy
find_heavy(const struct cp_diff_runs *r, struct cp_run *run,
    const struct cp_diff_cell *cells, size_t n_rows)
{
	struct cp_diff_heavy h = { .row = cp_run_alloc(
				       run, (n_rows + 1) * sizeof(*h.row)),
		.value = cp_run_alloc(run, (n_rows + 1) * sizeof(*h.value)) };

	for (size_t i = 0; i < n_rows; i++)
		if (is_heavy(&cells[i * runs_of(r)], runs_of(r)))
			h.row[h.n++] = &cells[i * runs_of(r)];
	return h;
}

/* ----------------------------------------------------- degrees of freedom */

/* psi'(x), by its asymptotic series from 6 on (DLMF 5.15.8). */
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

/*
 * Returns the degrees that a common prior is worth: the logarithms of
 * variances, each of so many degrees, vary so (Smyth 2004).
 */
static double
degrees_of_logs(double variance, double degrees)
{
	double left = variance - trigamma(degrees / 2);
	double low = MIN_PRIOR, high = MAX_PRIOR;

	for (unsigned i = 0; i < 50; i++) {
		double middle = (low + high) / 2;

		if (trigamma(middle / 2) > left)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}

/*
 * Returns the degrees of freedom of the sum of the rows' variances.  Rows that
 * move together are worth less than their number: the trace of the square of
 * their covariance tells, which is estimated without bias (Srivastava 2005).
 * products: of the rows' deviations in each pair of runs, summed over the rows;
 * the lower triangle.
 */
static double
degrees_of_products(const double *products, uint32_t runs, double sum)
{
	double degrees = runs - 2.0, trace = 0, squares = 0, estimate;

	if (!(degrees > 1))
		return degrees;
	for (uint32_t a = 0; a < runs; a++)
		for (uint32_t b = 0; b <= a; b++) {
			double g = *products++ / degrees;

			trace += a == b ? g : 0;
			squares += g * g * (a == b ? 1 : 2);
		}
	estimate = (squares - trace * trace / degrees) * degrees * degrees /
		   ((degrees - 1) * (degrees + 2));
	if (!(estimate > 0))
		return MOST_DEGREES;
	return fmax(
	    degrees, fmin(MOST_DEGREES, degrees * sum * sum / estimate - 2));
}

/* ------------------------------------------------------------ several runs */

/* Returns the mean dispersion of the samples: runs without any show none. */
static double
mean_dispersion(const struct cp_diff_runs *r, const struct cp_diff_cell *c)
{
	double sum = 0, all = 0;

	for (uint32_t i = 0; i < runs_of(r); i++) {
		sum += fmax(1, c[i].dispersion) * c[i].weight;
		all += c[i].weight;
	}
	return all > 0 ? sum / all / CP_DIFF_USUAL_DISPERSION : 1;
}

double
cp_diff_by_bursts(
    const struct cp_diff_runs *r, const struct cp_diff_cell *c, double part)
{
	return cp_diff_sampling(r, c) * fmax(1, part * mean_dispersion(r, c));
}

/*
 * Returns the weight of a row in estimates of what all rows do in a run: the
 * reciprocal of its variance.
 */
static double
trust(const struct cp_diff_runs *r, const struct cp_diff_cell *c)
{
	return 1 / (cp_diff_by_bursts(r, c, r->likely) + r->own.value);
}

/*
 * Finds the effect of each run: what all functions do together.  As a weighted
 * mean, it varies by sampling itself, with the reciprocal of the weights' sum.
 */
static void
find_effects(
    struct cp_diff_runs *r, struct cp_run *run, const struct cp_diff_heavy *h)
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
	r->chance = all > 0 ? 1 / all : 0;
	r->common.degrees = runs_of(r) - 2;
	r->common.value = sum / r->common.degrees;
}

/*
 * Estimates how much the rows' variances agree: the prior with which a row's
 * own variance is moderated (Smyth 2004).
 */
static double
prior_degrees(const struct cp_diff_runs *r, struct cp_diff_heavy *h)
{
	double mean = 0, sum = 0, degrees = runs_of(r) - 2;

	if (h->n < CP_DIFF_MIN_ROWS)
		return MIN_PRIOR;
	for (size_t i = 0; i < h->n; i++) {
		double bursts = cp_diff_by_bursts(r, h->row[i], r->likely);
		double expected =
		    fmax(bursts / 10, bursts + r->own.value - r->chance);

		h->value[i] =
		    log(cp_diff_observed(r, h->row[i]).value / expected + 1e-6);
		mean += h->value[i] / (double)h->n;
	}
	for (size_t i = 0; i < h->n; i++)
		sum += (h->value[i] - mean) * (h->value[i] - mean);
	return degrees_of_logs(sum / (double)(h->n - 1), degrees);
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
    const struct cp_diff_heavy *h, double sum)
{
	size_t n = runs_of(r);
	double *left = cp_run_alloc(run, n * sizeof(*left));
	double *products = cp_run_alloc(run, n * n * sizeof(*products));

	for (size_t i = 0; i < h->n; i++)
		add_products(r, h->row[i], left, products);
	return degrees_of_products(products, runs_of(r), sum);
}

/*
 * Finds the fraction of the dispersion between slices that differences between
 * runs show, and the largest one that agrees with them.
 */
static void
find_bursts(
    struct cp_diff_runs *r, struct cp_run *run, const struct cp_diff_heavy *h)
{
	double seen = 0, taken = 0, told = 0, chance;

	for (size_t i = 0; i < h->n; i++) {
		const struct cp_diff_cell *c = h->row[i];
		double w = trust(r, c);

		seen += w * cp_diff_observed(r, c).value;
		taken += w * r->chance;
		told += w * cp_diff_by_bursts(r, c, 1);
	}
	chance =
	    cp_mean_square_at(CP_DIFF_LEAST, degrees_of_sum(r, run, h, seen));
	/* Of bursts that chance did not make, slices do not show too much. */
	r->likely = told > 0 ? (seen + taken) / told : 1;
	r->bursts = fmin(CP_DIFF_USUAL_DISPERSION, r->likely / chance);
	r->likely = fmin(CP_DIFF_USUAL_DISPERSION, r->likely);
}

/* Finds what functions differ by beyond their bursts. */
static void
from_runs(struct cp_diff_runs *r, struct cp_run *run, struct cp_diff_heavy *h)
{
	double sum = 0, all = 0;

	find_bursts(r, run, h);
	/* The effects took a part of what the rows vary by. */
	for (size_t i = 0; i < h->n; i++) {
		const struct cp_diff_cell *c = h->row[i];
		double w = trust(r, c);

		sum += w * w *
		       (cp_diff_observed(r, c).value + r->chance -
			   cp_diff_by_bursts(r, c, r->likely));
		all += w * w;
	}
	r->own.value = all > 0 ? fmax(0, sum / all) : r->noise * r->noise;
	r->own.degrees = prior_degrees(r, h);
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
	struct cp_diff_heavy h = find_heavy(r, run, cells, n_rows);

	find_concentration(r, cells, n_rows);
	if (runs_of(r) == 2) {
		cp_diff_from_spread(r, run, &h);
		return;
	}
	/* At first, functions are taken to differ by 3 %. */
	r->own.value = 0.001;
	for (unsigned i = 0; i < PASSES; i++) {
		find_effects(r, run, &h);
		from_runs(r, run, &h);
	}
}
