/* SPDX-License-Identifier: MIT */
/*
 * Shares of a whole and their 95 % intervals.
 *
 * The interval is Wilson's score interval (Wilson 1927) over an effective
 * number of samples (Kish 1965): the square of the sum of the weights by the
 * sum of their squares, or less if the share's variance as a ratio is larger;
 * it is divided by the measured dispersion.
 */
#include <math.h>

#include <coldperf/plugin.h>

#define Z95 1.959963984540054

struct cp_mass
cp_row_mass(const struct cp_tally_row *row)
{
	return (struct cp_mass){ row->weight, row->weight_sq };
}

/* Sums of hostile periods may wrap around. */
static double
share_of(struct cp_mass part, struct cp_mass whole)
{
	double w = (double)whole.weight;
	double p = w > 0 ? (double)part.weight / w : 0;

	return p < 0 ? 0 : p > 1 ? 1 : p;
}

/*
 * With unequal weights a small share varies more by the weights inside than by
 * those outside.  So the smaller of two numbers counts: one assumes that
 * weights do not depend on the row, the other uses the weights found (variance
 * of the ratio estimator).  Either alone gives too narrow intervals: the first
 * for rows of few heavy samples, the second for rows that heavy samples missed
 * by chance.
 */
static double
equal_samples(struct cp_mass part, struct cp_mass all)
{
	double w = (double)all.weight, p = share_of(part, all);
	double n = all.weight_sq > 0 ? w * w / all.weight_sq : 0;
	double outside = fmax(all.weight_sq - part.weight_sq, 0);
	/* W^2 times the variance of the share. */
	double found = part.weight_sq * (1 - p) * (1 - p) + outside * p * p;

	if (p <= 0 || p >= 1 || found <= 0)
		return n;
	found = p * (1 - p) * w * w / found;
	/* With equal weights both are the same, except for rounding. */
	return found < n * (1 - 1e-9) ? found : n;
}

double
cp_effective(struct cp_mass part, struct cp_whole whole)
{
	double n = equal_samples(part, whole.mass);

	return whole.dispersion > 0 ? n / whole.dispersion : n;
}

static void
wilson(double share, double n, double *lo, double *hi)
{
	double mid = (share + Z95 * Z95 / (2 * n)) / (1 + Z95 * Z95 / n);
	double half = Z95 / (1 + Z95 * Z95 / n) *
		      sqrt(share * (1 - share) / n + Z95 * Z95 / (4 * n * n));

	/* Avoids rounding errors at shares of 0 and of 1. */
	*lo = share > 0 ? fmax(0, mid - half) : 0;
	*hi = share < 1 ? fmin(1, mid + half) : 1;
}

void
cp_interval(struct cp_mass part, struct cp_whole whole, double *lo, double *hi)
{
	double n = cp_effective(part, whole);

	*lo = whole.complete ? 1 : 0;
	*hi = whole.complete ? 0 : 1;
	if (!whole.complete && n > 0)
		wilson(share_of(part, whole.mass), n, lo, hi);
}

struct cp_cell
cp_cell_share(struct cp_mass part, struct cp_whole whole)
{
	double lo, hi;

	cp_interval(part, whole, &lo, &hi);
	return cp_cell_value(share_of(part, whole.mass), lo, hi);
}
