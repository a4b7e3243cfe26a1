/* SPDX-License-Identifier: MIT */
/*
 * The statistics of diff, on made-up captures: how often it finds what is not
 * there, and what is.
 */
#include "analyses/diff/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tap.h"

enum { ROWS = 12, RUNS = 6 };

static uint64_t seed = 88172645463325252u;

static double
uniform(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return ((double)(seed >> 11) + 0.5) / 9007199254740992.0;
}

static double
normal(void)
{
	return sqrt(-2 * log(uniform())) * cos(2 * acos(-1) * uniform());
}

/* A count of that mean: exact for small ones, normal for large ones. */
static double
poisson(double mean)
{
	double limit = exp(-mean), p = 1, n = 0;

	if (mean > 60)
		return fmax(0, round(mean + sqrt(mean) * normal()));
	while ((p *= uniform()) > limit)
		n++;
	return n;
}

/*
 * Fills cells of runs whose rows have shares like those of a real program,
 * each run of another length, and rows that differ by `noise` between runs;
 * row 0 is multiplied by `slower` in the runs after.
 */
static void
make(struct cp_diff_cell *cell, double *total, uint32_t before, uint32_t runs,
    double samples, double noise, double slower)
{
	memset(cell, 0, ROWS * runs * sizeof(*cell));
	for (uint32_t r = 0; r < runs; r++) {
		double length = samples * (0.8 + 0.4 * uniform());

		total[r] = 0;
		for (uint32_t i = 0; i < ROWS; i++) {
			double mean = length * 0.3 / (1 + i * 1.5) *
				      exp(noise * normal());
			double n = poisson(
			    i == 0 && r >= before ? mean * slower : mean);

			cell[i * runs + r] =
			    (struct cp_diff_cell){ n, n, 1, (uint64_t)n };
			total[r] += n;
		}
	}
}

struct outcome {
	unsigned found, others; /* row 0; any other row */
	double covered;         /* intervals of row 0 that hold the truth */
};

static struct outcome
trial(
    uint32_t before, uint32_t runs, double samples, double noise, double slower)
{
	struct cp_diff_cell cell[ROWS * RUNS];
	double total[RUNS], norm[RUNS], p[ROWS], scratch[2 * (ROWS + 1)];
	struct cp_diff_runs r = { .before = before,
		.after = runs - before,
		.total = total,
		.norm = norm,
		.noise = 0.02,
		.unit = 1 };
	struct outcome out = { 0 };
	double variance;

	make(cell, total, before, runs, samples, noise, slower);
	for (uint32_t i = 0; i < runs; i++) {
		double k = i < before ? before : runs - before;

		norm[i] = i == 0 ? 1
				 : cp_diff_scale(&cell[0], &cell[i], ROWS, runs,
				       0.02, &variance, scratch);
		r.norm_var += i == 0 ? 0 : variance / (k * k);
	}
	cp_diff_common(&r, cell, ROWS, true);
	for (uint32_t i = 0; i < ROWS; i++) {
		struct cp_diff_result x = cp_diff_test(&r, &cell[i * runs]);

		p[i] = x.p;
		if (i == 0)
			out.covered = x.lo <= slower - 1 && slower - 1 <= x.hi;
	}
	cp_diff_holm(p, ROWS, scratch);
	for (uint32_t i = 0; i < ROWS; i++)
		if (p[i] < 0.01)
			*(i == 0 ? &out.found : &out.others) = 1;
	return out;
}

static struct outcome
trials(
    uint32_t before, uint32_t runs, double samples, double noise, double slower)
{
	struct outcome sum = { 0 };

	for (unsigned i = 0; i < 1000; i++) {
		struct outcome o = trial(before, runs, samples, noise, slower);

		sum.found += o.found;
		sum.others += o.others;
		sum.covered += o.covered;
	}
	return sum;
}

static void
check_equals(void)
{
	static const struct {
		uint32_t before, runs;
		double samples, noise;
	} c[] = { { 1, 2, 500, 0 }, { 1, 2, 20000, 0 }, { 1, 2, 20000, 0.015 },
		{ 1, 2, 1000000, 0.015 }, { 3, 6, 20000, 0.01 },
		{ 3, 6, 20000, 0.08 }, { 1, 4, 20000, 0.03 } };

	for (size_t i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
		struct outcome o =
		    trials(c[i].before, c[i].runs, c[i].samples, c[i].noise, 1);

		ok(o.found + o.others <= 25,
		    "equals, %u and %u runs of %.0f samples, noise %g: %u of "
		    "1000 comparisons find something",
		    c[i].before, c[i].runs - c[i].before, c[i].samples,
		    c[i].noise, o.found + o.others);
		ok(o.covered >= 930, "and %.0f intervals hold no change",
		    o.covered);
	}
}

static void
check_changes(void)
{
	struct outcome o = trials(1, 2, 20000, 0.01, 1.2);

	ok(o.found >= 900, "20 %% slower is found in %u of 1000", o.found);
	ok(o.others <= 25, "with others in %u", o.others);
	ok(o.covered >= 930, "its interval holds it in %.0f", o.covered);
	o = trials(1, 2, 20000, 0.01, 3);
	ok(o.found == 1000 && o.others <= 25,
	    "three times slower is found always, with others in %u", o.others);
	o = trials(3, 6, 50000, 0.01, 1.08);
	ok(o.found >= 800, "8 %% slower is found by three runs each in %u",
	    o.found);
	ok(o.others <= 25, "with others in %u", o.others);
}

static void
check_dispersion(void)
{
	double part[32], all[32], sum = 0, phases, rough;

	for (unsigned t = 0; t < 200; t++) {
		for (unsigned i = 0; i < 32; i++) {
			part[i] = poisson(50);
			all[i] = part[i] + poisson(150);
		}
		sum += cp_diff_dispersion(part, all, 32, 1);
	}
	ok(sum / 200 < 1.5, "even slices: dispersion %.2f", sum / 200);
	for (unsigned i = 0; i < 32; i++) {
		part[i] = poisson(i < 16 ? 10 : 150);
		all[i] = part[i] + poisson(100);
	}
	phases = cp_diff_dispersion(part, all, 32, 1);
	ok(phases < 4, "two phases are no noise: %.2f", phases);
	for (unsigned i = 0; i < 32; i++) {
		part[i] = poisson(50 * exp(0.6 * normal()));
		all[i] = part[i] + poisson(150);
	}
	rough = cp_diff_dispersion(part, all, 32, 1);
	ok(rough > 3, "slices that differ are: %.2f", rough);
	ok(cp_diff_dispersion(part, all, 3, 1) <= 1,
	    "three slices tell nothing");
}

/* The factor of rows with so many samples before and after. */
static double
factor(const double (*counts)[2], size_t n, double *variance)
{
	struct cp_diff_cell cell[2 * ROWS] = { 0 };
	char scratch[CP_DIFF_SCRATCH(ROWS)];

	for (size_t i = 0; i < 2 * n; i++) {
		cell[i].weight = cell[i].weight_sq = counts[i / 2][i % 2];
		cell[i].samples = (uint64_t)cell[i].weight;
	}
	return cp_diff_scale(&cell[0], &cell[1], n, 2, 0, variance, scratch);
}

static void
check_factor(void)
{
	static const double near[][2] = { { 1000, 1100 }, { 2000, 2120 },
		{ 3000, 3240 }, { 1000, 3000 }, { 19, 190 } };
	static const double apart[][2] = { { 10000, 10000 }, { 10000, 20000 },
		{ 10000, 40000 } };
	double variance, got = factor(near, 5, &variance);

	/*
	 * Weights 1 / (1 / before + 1 / after): 523.81, 1029.13, 1557.69, 750;
	 * the median of the logarithms is that of 1.08; the one of 3 is farther
	 * from it than 2.5 / sqrt(750), and the last has too few samples.
	 */
	ok(fabs(got - exp((523.81 * log(1.1) + 1029.13 * log(1.06) +
			      1557.69 * log(1.08)) /
			  3110.63)) < 1e-6,
	    "the factor is the mean of those near the median: %.6f", got);
	ok(fabs(variance - 1.1 / 3110.63) < 1e-8, "and so is its variance");
	got = factor(apart, 3, &variance);
	ok(fabs(got - 2) < 1e-12, "the median, if most are not near it: %.6f",
	    got);
	got = factor(near + 4, 1, &variance);
	ok(fabs(got - 1) < 1e-12, "1, if there is nothing to go by");
}

static void
check_holm(void)
{
	double p[] = { 0.01, NAN, 0.04, 0.03, 0.005 }, scratch[12];

	cp_diff_holm(p, 5, scratch);
	ok(fabs(p[4] - 0.02) < 1e-12 && fabs(p[0] - 0.03) < 1e-12 &&
		fabs(p[3] - 0.06) < 1e-12 && fabs(p[2] - 0.06) < 1e-12,
	    "Holm's correction, by hand: %g %g %g %g", p[4], p[0], p[3], p[2]);
	ok(isnan(p[1]), "what is no number stays none");
}

int
main(void)
{
	check_equals();
	check_changes();
	check_dispersion();
	check_factor();
	check_holm();
	return done_testing();
}
