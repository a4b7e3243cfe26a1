/* SPDX-License-Identifier: MIT */
/*
 * holm: many rows at once: the factor that most of them share, and Holm's
 * correction.
 */
#include "analyses/diff/statistics.h"

#include <math.h>
#include <stdlib.h>

/* Rows with fewer samples on a side do not help to find the scale. */
#define MIN_SCALE_SAMPLES 20.0

static double
effective(const struct cp_diff_cell *c)
{
	return c->weight_sq > 0 ? c->weight * c->weight / c->weight_sq : 0;
}

struct ratio {
	double log, weight;
};
_Static_assert(sizeof(struct ratio) <= 24, "CP_DIFF_SCRATCH");

static int
compare_ratios(const void *pa, const void *pb)
{
	const struct ratio *a = pa, *b = pb;

	return (a->log > b->log) - (a->log < b->log);
}

static double
weighted_median(struct ratio *r, size_t n, double all)
{
	double below = 0;

	qsort(r, n, sizeof(*r), compare_ratios);
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
	double all = 0, median;
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
		all += r[m++].weight;
	}
	if (m == 0)
		return 1;
	median = weighted_median(r, m, all);
	return exp(mean_near(r, m, median, out_var));
}

/* --------------------------------------------------------- many questions */

struct ranked {
	double p; /* p-value divided by the question's weight */
	double weight;
	size_t at;
};
_Static_assert(sizeof(struct ranked) <= 24, "CP_DIFF_SCRATCH");

static int
compare_ranked(const void *pa, const void *pb)
{
	const struct ranked *a = pa, *b = pb;

	if (a->p < b->p || a->p > b->p)
		return a->p < b->p ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

void
cp_diff_holm(double *p, const double *weight, size_t n, void *scratch)
{
	struct ranked *r = scratch;
	double worst = 0, left = 0;
	size_t m = 0;

	for (size_t i = 0; i < n; i++) {
		if (isnan(p[i]) || !(weight[i] > 0))
			continue;
		r[m++] = (struct ranked){ p[i] / weight[i], weight[i], i };
		left += weight[i];
	}
	if (m != 0)
		qsort(r, m, sizeof(*r), compare_ranked);
	for (size_t i = 0; i < m; i++) {
		worst = fmax(worst, fmin(1, r[i].p * left));
		p[r[i].at] = worst;
		left =
		    fmax(left - r[i].weight, i + 1 < m ? r[i + 1].weight : 0);
	}
}
