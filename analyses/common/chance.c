/* SPDX-License-Identifier: MIT */
#include "analyses/common/chance.h"

#include <math.h>
#include <stdlib.h>

/* A double cannot hold the probabilities of scores beyond this. */
#define FARTHEST 37.0
#define STEPS 5000
#define TINY 1e-300

/* Makes one step of Lentz's method for a continued fraction. */
static double
fraction_step(double *c, double *d, double numerator)
{
	*d = 1 + numerator * *d;
	*c = 1 + numerator / *c;
	if (fabs(*d) < TINY)
		*d = TINY;
	if (fabs(*c) < TINY)
		*c = TINY;
	*d = 1 / *d;
	return *c * *d;
}

/* The continued fraction of DLMF 8.17.22. */
static double
beta_fraction(double x, double a, double b)
{
	double c = 1, d = 1, out;

	out = fraction_step(&c, &d, -(a + b) * x / (a + 1));
	c = 1;
	out = d;
	for (unsigned m = 1; m < STEPS; m++) {
		double two = 2.0 * m, step;

		out *= fraction_step(
		    &c, &d, m * (b - m) * x / ((a + two - 1) * (a + two)));
		step = fraction_step(&c, &d,
		    -(a + m) * (a + b + m) * x / ((a + two) * (a + two + 1)));
		out *= step;
		if (fabs(step - 1) < 1e-14)
			break;
	}
	return out;
}

double
cp_beta(double x, double a, double b)
{
	double front;

	if (!(x > 0) || !(b > 0))
		return 0;
	if (x >= 1 || !(a > 0))
		return 1;
	front = exp(
	    lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(x, a, b) / a;
	return 1 - front * beta_fraction(1 - x, b, a) / b;
}

/* Halves the interval: shorter than Wichura's rational function, and exact. */
double
cp_normal_score(double p)
{
	double low = -FARTHEST, high = FARTHEST;

	for (unsigned i = 0; i < 60; i++) {
		double middle = (low + high) / 2;

		if (erfc(middle / sqrt(2)) / 2 > p)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}

double
cp_binomial_score(double x, double n, double share)
{
	double above, below;

	if (!(n > 0))
		return 0;
	above = cp_beta(share, x, n - x + 1);
	below = cp_beta(1 - share, n - x, x + 1);
	if (above >= 0.5 && below >= 0.5)
		return 0;
	return above < below ? cp_normal_score(above) : -cp_normal_score(below);
}

double
cp_t_tail(double t, double degrees)
{
	if (!(degrees < CP_T_MANY))
		return erfc(fabs(t) / sqrt(2));
	return cp_beta(degrees / (degrees + t * t), degrees / 2, 0.5);
}

double
cp_t_quantile(double p, double degrees)
{
	double low = 0, high = 1;

	while (cp_t_tail(high, degrees) > p && high < 1e9)
		high *= 2;
	for (unsigned i = 0; i < 60; i++) {
		double middle = (low + high) / 2;

		if (cp_t_tail(middle, degrees) > p)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}

double
cp_mean_square_at(double score, double degrees)
{
	double v = 2 / (9 * degrees);

	return pow(fmax(0, 1 - v + score * sqrt(v)), 3);
}

/* --------------------------------------------------------- many questions */

struct ranked {
	double p; /* p-value divided by the question's weight */
	double weight;
	size_t at;
};
_Static_assert(sizeof(struct ranked) <= 24, "CP_HOLM_SCRATCH");

static int
compare_ranked(const void *pa, const void *pb)
{
	const struct ranked *a = pa, *b = pb;

	if (a->p < b->p || a->p > b->p)
		return a->p < b->p ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

void
cp_holm(double *p, const double *weight, size_t n, void *scratch)
{
	struct ranked *r = scratch;
	double worst = 0, left = 0;
	size_t m = 0;

	for (size_t i = 0; i < n; i++) {
		double w = weight != NULL ? weight[i] : 1;

		if (isnan(p[i]) || !(w > 0))
			continue;
		r[m++] = (struct ranked){ p[i] / w, w, i };
		left += w;
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
