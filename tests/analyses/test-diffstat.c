/* SPDX-License-Identifier: MIT */
/*
 * The statistics of diff: probabilities against tables, and decisions on
 * made-up counts.  tests/analyses/simulate.py tries whole comparisons.
 */
#include "analyses/diff/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/diff/coverage.h"
#include "analyses/diff/dispersion.h"
#include "analyses/common/chance.h"
#include "tests/tap.h"

static bool
near(double got, double want, double tolerance)
{
	return fabs(got - want) <= tolerance * fabs(want);
}

/* Values of R's pbeta, pt, qt and pbinom. */
static void
check_tails(void)
{
	double score;

	ok(near(cp_beta(0.3, 2, 5), 0.579825, 1e-9), "I_0.3(2, 5)");
	ok(near(cp_t_tail(2.776445, 4), 0.05, 1e-5), "t of 4 degrees");
	ok(near(cp_t_quantile(0.01, 10), 3.169273, 1e-6),
	    "t of 10 degrees that is exceeded in 1 %%");
	ok(near(cp_t_quantile(0.05, INFINITY), 1.959964, 1e-6),
	    "a normal deviate, two-sided");
	ok(near(cp_normal_score(0.001), 3.090232, 1e-6),
	    "a normal deviate, one-sided");
	/* 50 heads of 50: 2 ^ -50. */
	score = cp_binomial_score(50, 50, 0.5);
	ok(near(erfc(score / sqrt(2)) / 2, ldexp(1, -50), 1e-6),
	    "50 of 50 by chance: 2 ^ -50");
	/* P(X <= 3 of 20) = 1351 / 2 ^ 20. */
	score = cp_binomial_score(3, 20, 0.5);
	ok(near(erfc(-score / sqrt(2)) / 2, 1351 / ldexp(1, 20), 1e-6),
	    "3 or fewer of 20");
}

/*
 * One row of two runs, of so many samples each; most: the variance that other
 * rows allow, 0: they show nothing.
 */
static struct cp_diff_result
two_of(
    double before, double after, double noise, double dispersion, double most)
{
	static const double total[2] = { 1091, 1159 }, norm[2] = { 1, 1 };
	struct cp_diff_cell c[2] = { { before, before, dispersion,
					 (uint64_t)before, 0 },
		{ after, after, dispersion, (uint64_t)after, 0 } };
	struct cp_diff_runs r = { .before = 1,
		.after = 1,
		.total = total,
		.norm = norm,
		.noise = noise,
		.unit = 1,
		.own = { 0, 1 },
		.most = most };

	return cp_diff_test(&r, c);
}

static struct cp_diff_result
two(double before, double after, double noise, double dispersion)
{
	return two_of(before, after, noise, dispersion, 0);
}

/*
 * What is assumed of a row between runs, by hand.  190 of 1,159 are 0.1639, and
 * 0.04 ^ 2 / 0.1639 = 0.00976; sampling is 1 / 100.5 + 1 / 190.5 = 0.0152.
 */
static void
check_assumed(void)
{
	struct cp_diff_result r = two(100, 190, 0.04, 1);

	ok(near(r.error, sqrt(0.0152 + 2 * 0.00976), 1e-3),
	    "a sixth of all differs by more than all does: %g", r.error);
	r = two_of(100, 190, 0.04, 1, 0.0025);
	ok(near(r.error, sqrt(0.0152 + 2 * 0.0025), 1e-3),
	    "by less if the functions show less: %g", r.error);
	r = two_of(100, 190, 0.04, 1, 1);
	ok(near(r.error, sqrt(0.0152 + 2 * 0.01), 1e-3),
	    "at most by 2.5 times as much: %g", r.error);
	r = two_of(1091, 1159, 0.04, 1, 1);
	ok(near(r.error, sqrt(1 / 1091.5 + 1 / 1159.5 + 2 * 0.0016), 1e-3),
	    "a row that is everything differs as that does: %g", r.error);
}

static void
check_two(void)
{
	struct cp_diff_result r = two(0, 50, 0, 1);

	ok(r.p < 1e-13, "none before and 50 after is no chance: %g", r.p);
	r = two(50, 50, 0.04, 1);
	ok(r.p > 0.9 && r.lo < 0 && r.hi > 0, "equals are equal: %g", r.p);
	r = two(100, 140, 0, 1);
	/* 2 * P(X >= 140), X of 240 by 1/2: 0.01183 (R: pbinom). */
	ok(near(r.p, 0.01183, 0.02), "100 and 140: p %g", r.p);
	ok(two(100, 140, 0, 4).p > 0.15, "bursts of four: %g",
	    two(100, 140, 0, 4).p);
	r = two(1000, 1150, 0.05, 1);
	ok(r.p > 0.01 && r.p_sampling < 0.01,
	    "15 %% more: runs may differ so, samples do not: %g %g", r.p,
	    r.p_sampling);
}

/* The same counts 8 times in turn are slices without bursts; or all at once. */
static void
check_dispersion(void)
{
	double even[64], burst[64] = { 0 }, few[4] = { 100, 0, 0, 0 };
	double wave[64];

	for (unsigned i = 0; i < 64; i++)
		even[i] = 10 + (double)(i * 7 % 5);
	for (unsigned i = 0; i < 64; i++)
		wave[i] = 10 + 3 * sin(1.5 * 2 * 3.14159 * i / 64);
	burst[20] = 50;
	burst[21] = 50;
	ok(cp_diff_dispersion(even, 64, 1, 12) <= 1, "even slices: 1");
	ok(cp_diff_dispersion(burst, 64, 1, 12) > 50,
	    "one burst of 100 samples: %g",
	    cp_diff_dispersion(burst, 64, 1, 12));
	ok(cp_diff_dispersion(few, 4, 1, 12) <= 1, "four slices tell nothing");
	ok(cp_diff_dispersion(wave, 64, 1, 12) < 2 &&
		cp_diff_dispersion(wave, 64, 1, 4) > 4,
	    "a slow wave: four slices show it, twelve do not: %g, %g",
	    cp_diff_dispersion(wave, 64, 1, 12),
	    cp_diff_dispersion(wave, 64, 1, 4));
}

static void
check_holm(void)
{
	static const double one[] = { 1, 1, 1, 1, 1 };
	static const double large[] = { 9, 1 };
	double p[] = { 0.01, NAN, 0.04, 0.03, 0.005 }, scratch[18];
	double q[] = { 0.01, 0.01 };

	cp_holm(p, one, 5, scratch);
	ok(near(p[4], 0.02, 1e-9) && near(p[0], 0.03, 1e-9) &&
		near(p[3], 0.06, 1e-9) && near(p[2], 0.06, 1e-9),
	    "Holm's correction, by hand: %g %g %g %g", p[4], p[0], p[3], p[2]);
	ok(isnan(p[1]), "what is no number stays none");
	cp_holm(q, large, 2, scratch);
	/* 0.01 / 9 * 10, then the larger of that and 0.01 / 1 * 1. */
	ok(near(q[0], 0.1 / 9, 1e-9) && near(q[1], 0.1 / 9, 1e-9),
	    "weights share the risk: %g %g", q[0], q[1]);
}

/* The factor of rows with so many samples before and after. */
static double
factor(const double (*counts)[2], size_t n, double *variance)
{
	struct cp_diff_cell cell[24] = { 0 };
	char scratch[CP_HOLM_SCRATCH(12)];

	for (size_t i = 0; i < 2 * n; i++) {
		cell[i].weight = cell[i].weight_sq = counts[i / 2][i % 2];
		cell[i].samples = (uint64_t)cell[i].weight;
	}
	return cp_diff_scale(&cell[0], &cell[1], n, 2, 0, variance, scratch);
}

static void
check_factor(void)
{
	static const double rows[][2] = { { 1000, 1100 }, { 2000, 2120 },
		{ 3000, 3240 }, { 1000, 3000 }, { 19, 190 } };
	static const double apart[][2] = { { 10000, 10000 }, { 10000, 20000 },
		{ 10000, 40000 } };
	double variance, got = factor(rows, 5, &variance);

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
	got = factor(rows + 4, 1, &variance);
	ok(fabs(got - 1) < 1e-12, "1, if there is nothing to go by");
}

static void
check_commands(void)
{
	static const struct {
		const char *command;
		enum cp_diff_extent want;
		bool cpus;
		const char *list; /* begins with */
	} c[] = {
		{ "/usr/bin/perf record -g -- ./app", CP_DIFF_COMMAND, false,
		    NULL },
		{ "perf record -F 999 ./app -a", CP_DIFF_COMMAND, false, NULL },
		{ "perf record -gF99 -o x.data ./app", CP_DIFF_COMMAND, false,
		    NULL },
		{ "perf record --call-graph dwarf ./app", CP_DIFF_COMMAND,
		    false, NULL },
		{ "perf record -ag sleep 10", CP_DIFF_WINDOW, true, NULL },
		{ "perf record --all-cpus -- ./app", CP_DIFF_WINDOW, true,
		    NULL },
		{ "perf record -Iax,bx ./app", CP_DIFF_COMMAND, false, NULL },
		{ "perf record -Se ./app", CP_DIFF_COMMAND, false, NULL },
		{ "perf record -p 12 -- sleep 10", CP_DIFF_WINDOW, false,
		    NULL },
		{ "perf record --pid=12", CP_DIFF_WINDOW, false, NULL },
		{ "perf record -aC 1 -p 12", CP_DIFF_WINDOW, false, NULL },
		{ "perf record -e 'my event' -C 0-3 sleep 1", CP_DIFF_WINDOW,
		    true, "0-3 " },
		{ "perf record -gC0,2", CP_DIFF_WINDOW, true, "0,2" },
		{ "perf record --cpu 1 --all-cpus", CP_DIFF_WINDOW, true,
		    "1 " },
		{ "perf record --cpu=1,3 ./app", CP_DIFF_WINDOW, true, "1,3 " },
		{ "perf record -e 'a b' ./app", CP_DIFF_COMMAND, false, NULL },
		{ "something else", CP_DIFF_UNKNOWN, false, NULL },
	};

	for (size_t i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
		struct cp_diff_observed o;

		ok(cp_diff_extent_of_command(c[i].command, &o) == c[i].want &&
			o.cpus == c[i].cpus &&
			(o.list == NULL) == (c[i].list == NULL) &&
			(o.list == NULL ||
			    strncmp(o.list, c[i].list, strlen(c[i].list)) == 0),
		    "%s", c[i].command);
	}
}

int
main(void)
{
	check_tails();
	check_two();
	check_assumed();
	check_dispersion();
	check_holm();
	check_factor();
	check_commands();
	return done_testing();
}
