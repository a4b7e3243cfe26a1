/* SPDX-License-Identifier: MIT */
#include "analyses/diff/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define Z95 1.959963984540054
/* Fewer samples on both sides together tell nothing. */
#define MIN_SAMPLES 10
/* Rows with fewer on a side do not help to find the scale. */
#define MIN_SCALE_SAMPLES 20.0
/* Nor do they tell how much runs differ. */
#define MIN_HEAVY_SAMPLES 50
/* So much of all moves between two runs whatever the program does. */
#define SURROUNDINGS 0.0003
/* Degrees of freedom that the rows' common variance counts for. */
#define COMMON_DEGREES 8.0

static double
effective(const struct cp_diff_cell *c)
{
	return c->weight_sq > 0 ? c->weight * c->weight / c->weight_sq : 0;
}

/* Half a sample is added: nothing was seen is not nothing is there. */
static double
normalized(
    const struct cp_diff_runs *r, const struct cp_diff_cell *c, uint32_t run)
{
	return (c->weight + r->unit / 2) / r->norm[run];
}

static double
sampling_variance(
    const struct cp_diff_runs *r, const struct cp_diff_cell *c, uint32_t run)
{
	double share = r->total[run] > 0 ? c->weight / r->total[run] : 0;
	double dispersion = c->dispersion > 1 ? c->dispersion : 1;

	return dispersion * (1 - fmin(share, 1)) / (effective(c) + 0.5);
}

struct side {
	double mean, log, variance; /* of the logarithm of the mean */
	double weight;              /* normalized, without the half sample */
	uint64_t samples;
};

static struct side
side_of(const struct cp_diff_runs *r, const struct cp_diff_cell *cells,
    uint32_t from, uint32_t to)
{
	struct side s = { 0 };
	double k = to - from;

	for (uint32_t i = from; i < to; i++) {
		s.mean += normalized(r, &cells[i], i) / k;
		s.weight += cells[i].weight / r->norm[i] / k;
		s.variance += sampling_variance(r, &cells[i], i) / (k * k);
		s.samples += cells[i].samples;
	}
	s.log = log(s.mean);
	return s;
}

/* Variance of a row's logarithms between the runs of a side. */
static double
between_runs(const struct cp_diff_runs *r, const struct cp_diff_cell *cells)
{
	uint32_t n = r->before + r->after;
	double mean[2] = { 0 }, sum = 0;

	for (uint32_t i = 0; i < n; i++)
		mean[i >= r->before] += log(normalized(r, &cells[i], i)) /
					(i < r->before ? r->before : r->after);
	for (uint32_t i = 0; i < n; i++) {
		double d =
		    log(normalized(r, &cells[i], i)) - mean[i >= r->before];

		sum += d * d;
	}
	return sum / (n - 2);
}

/* The mean over the runs of what sampling alone makes. */
static double
sampling_mean(const struct cp_diff_runs *r, const struct cp_diff_cell *cells)
{
	uint32_t n = r->before + r->after;
	double sum = 0;

	for (uint32_t i = 0; i < n; i++)
		sum += sampling_variance(r, &cells[i], i) / n;
	return sum;
}

static bool
is_heavy(const struct cp_diff_cell *c, uint32_t runs)
{
	for (uint32_t i = 0; i < runs; i++)
		if (c[i].samples < MIN_HEAVY_SAMPLES)
			return false;
	return true;
}

void
cp_diff_common(struct cp_diff_runs *r, const struct cp_diff_cell *cells,
    size_t n_rows, bool scaled)
{
	uint32_t n = r->before + r->after;
	double extra = 0, known = 0;
	size_t heavy = 0;

	if (n < 3)
		return;
	for (size_t i = 0; i < n_rows; i++) {
		const struct cp_diff_cell *c = &cells[i * n];

		if (!is_heavy(c, n))
			continue;
		extra += between_runs(r, c) - sampling_mean(r, c);
		heavy++;
	}
	r->common =
	    heavy != 0 ? fmax(0, extra / (double)heavy) : r->noise * r->noise;
	for (size_t i = 0; i < n_rows; i++)
		if (is_heavy(&cells[i * n], n))
			known +=
			    1 / (r->common + sampling_mean(r, &cells[i * n]));
	if (scaled && known > 0)
		r->norm_var = 1.1 / known * (1.0 / r->before + 1.0 / r->after);
}

/* The standard score that is as likely as a t of so many degrees. */
static double
score_of_t(double t, double degrees)
{
	return (8 * degrees + 1) / (8 * degrees + 3) *
	       sqrt(degrees * log1p(t * t / degrees));
}

/* And back: the t whose score is z. */
static double
t_of_score(double z, double degrees)
{
	double v = z * (8 * degrees + 3) / (8 * degrees + 1);

	return sqrt(degrees * expm1(v * v / degrees));
}

/* Of rows so small that anything else on the machine moves them. */
static double
surroundings_variance(
    const struct cp_diff_runs *r, const struct cp_diff_cell *cells)
{
	double share = 0, part;
	uint32_t n = r->before + r->after;

	for (uint32_t i = 0; i < n; i++)
		if (r->total[i] > 0)
			share = fmax(share, cells[i].weight / r->total[i]);
	part = share > 0 ? SURROUNDINGS / share : 0;
	return 2 * part * part;
}

struct cp_diff_result
cp_diff_test(const struct cp_diff_runs *r, const struct cp_diff_cell *cells)
{
	uint32_t n = r->before + r->after;
	struct side a = side_of(r, cells, 0, r->before);
	struct side b = side_of(r, cells, r->before, n);
	double d = b.log - a.log, variance, error, t, half = Z95, score;
	struct cp_diff_result out = { .before = a.weight,
		.after = b.weight,
		.samples_before = a.samples,
		.samples_after = b.samples };

	variance = a.variance + b.variance;
	if (n >= 3) {
		double degrees = COMMON_DEGREES + n - 2;
		double usual = r->common + sampling_mean(r, cells);
		double between = (COMMON_DEGREES * usual +
				     (n - 2) * between_runs(r, cells)) /
				 degrees;

		variance = fmax(
		    variance, between * (1.0 / r->before + 1.0 / r->after));
		half = t_of_score(Z95, degrees);
		error = sqrt(variance + r->norm_var);
		t = error > 0 ? fabs(d) / error : 0;
		score = score_of_t(t, degrees);
	} else {
		variance +=
		    2 * r->noise * r->noise + surroundings_variance(r, cells);
		error = sqrt(variance + r->norm_var);
		score = error > 0 ? fabs(d) / error : 0;
	}
	out.change = a.weight > 0 ? b.weight / a.weight - 1 : INFINITY;
	if (a.weight <= 0 && b.weight <= 0)
		out.change = 0;
	out.lo = exp(d - half * error) - 1;
	out.hi = exp(d + half * error) - 1;
	out.p = a.samples + b.samples < MIN_SAMPLES ? (double)NAN
						    : erfc(score / sqrt(2));
	return out;
}

/* ---------------------------------------------------------------- medians */

static int
compare_doubles(const void *pa, const void *pb)
{
	double a = *(const double *)pa, b = *(const double *)pb;

	return (a > b) - (a < b);
}

double
cp_diff_dispersion(
    const double *part, const double *all, uint32_t n, double mean_weight)
{
	double sum = 0, whole = 0, share, squares[64];
	uint32_t m = 0;

	for (uint32_t i = 0; i < n; i++) {
		sum += part[i];
		whole += all[i];
	}
	if (whole <= 0 || sum <= 0 || mean_weight <= 0)
		return 1;
	share = sum / whole;
	for (uint32_t i = 1; i < n && m < 64; i++) {
		double expected = share * (1 - share) * mean_weight *
				  (1 / all[i - 1] + 1 / all[i]);
		double d;

		if (all[i - 1] <= 0 || all[i] <= 0 || expected <= 0)
			continue;
		d = part[i] / all[i] - part[i - 1] / all[i - 1];
		squares[m++] = d * d / expected;
	}
	if (m < 5)
		return 1;
	qsort(squares, m, sizeof(*squares), compare_doubles);
	/* The median of the square of a normal deviate is 0.4549. */
	return fmax(1, (squares[(m - 1) / 2] + squares[m / 2]) / 2 / 0.4549);
}

struct ratio {
	double log, weight;
};
_Static_assert(sizeof(struct ratio) <= 16, "CP_DIFF_SCRATCH");

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

/* The mean of those that chance could have put so far from the median. */
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
	double p;
	size_t at;
};
_Static_assert(sizeof(struct ranked) <= 16, "CP_DIFF_SCRATCH");

static int
compare_ranked(const void *pa, const void *pb)
{
	const struct ranked *a = pa, *b = pb;

	if (a->p < b->p || a->p > b->p)
		return a->p < b->p ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

void
cp_diff_holm(double *p, size_t n, void *scratch)
{
	struct ranked *r = scratch;
	double worst = 0;
	size_t m = 0;

	for (size_t i = 0; i < n; i++)
		if (!isnan(p[i]))
			r[m++] = (struct ranked){ p[i], i };
	if (m != 0)
		qsort(r, m, sizeof(*r), compare_ranked);
	for (size_t i = 0; i < m; i++) {
		worst = fmax(worst, fmin(1, r[i].p * (double)(m - i)));
		p[r[i].at] = worst;
	}
}
