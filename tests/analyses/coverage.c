/* SPDX-License-Identifier: MIT */
/*
 * The 95 % intervals hold the true share in at least 93 of 100 simulated
 * captures, whatever the weights: equal, spread over orders of magnitude, a
 * frequency's first periods, or heavier or lighter inside the row than
 * beside it.
 *
 * With some eight samples that count, Wilson's interval itself covers a half
 * in 93.0 % only (2 to 6 of 8), so 92 are asked for there.
 */
#include <math.h>

#include "analyses/common/label.h"
#include "tests/analyses/draw.h"
#include "tests/tap.h"

#define CAPTURES 2000

static double
equal(unsigned i)
{
	return 1000;
}

static double
exponential(unsigned i)
{
	return -log(draw()) * 1e6;
}

static double
lognormal(unsigned i)
{
	double normal = sqrt(-2 * log(draw())) * cos(2 * M_PI * draw());

	return exp(1.5 * normal) * 1e6;
}

static double
pareto(unsigned i)
{
	return pow(draw(), -1 / 1.5) * 1e6;
}

/* The kernel begins with a period of 1 and finds the right one. */
static double
ramp(unsigned i)
{
	return (0.8 + 0.4 * draw()) * (i < 12 ? pow(4, i) : pow(4, 12));
}

struct model {
	const char *name;
	double (*weight)(unsigned);
	double heavier; /* times, inside the row */
	unsigned samples;
	double share;   /* true, of the weight */
	unsigned least; /* percent covered */
};

static const struct model models[] = {
	{ "equal weights, 10 %", equal, 1, 200, 0.1, 93 },
	{ "equal weights, 60 %", equal, 1, 200, 0.6, 93 },
	{ "exponential weights, 5 %", exponential, 1, 400, 0.05, 93 },
	{ "log-normal weights, 2 %", lognormal, 1, 200, 0.02, 93 },
	{ "log-normal weights, 30 %", lognormal, 1, 200, 0.3, 93 },
	{ "log-normal weights, 10 % of 1000", lognormal, 1, 1000, 0.1, 93 },
	{ "Pareto weights, 1 %", pareto, 1, 300, 0.01, 93 },
	{ "Pareto weights, 10 %", pareto, 1, 300, 0.1, 93 },
	{ "Pareto weights, 60 %", pareto, 1, 300, 0.6, 93 },
	{ "first periods, 10 % of 40", ramp, 1, 40, 0.1, 93 },
	{ "first periods, 50 % of 20", ramp, 1, 20, 0.5, 92 },
	{ "5 times heavier inside, 20 %", exponential, 5, 1000, 0.2, 93 },
	{ "5 times lighter inside, 20 %", exponential, 0.2, 1000, 0.2, 93 },
	{ "5 times lighter inside, 2 %", exponential, 0.2, 1000, 0.02, 93 },
};

static void
add(struct cp_mass *m, uint64_t weight)
{
	m->weight += weight;
	m->weight_sq += (double)weight * (double)weight;
}

static bool
covered(const struct model *m)
{
	/* The share of the samples that gives that of the weight. */
	double in = m->share / m->heavier;
	double of_samples = in / (in + 1 - m->share), lo, hi;
	struct cp_mass part = { 0 }, all = { 0 };

	for (unsigned i = 0; i < m->samples; i++) {
		bool inside = draw() < of_samples;
		uint64_t weight =
		    1 + (uint64_t)(m->weight(i) * (inside ? m->heavier : 1));

		add(&all, weight);
		if (inside)
			add(&part, weight);
	}
	cp_interval(part, (struct cp_whole){ .mass = all }, &lo, &hi);
	return lo <= m->share && m->share <= hi;
}

int
main(void)
{
	for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) {
		unsigned n = 0;

		seed = 42 + i;
		for (unsigned c = 0; c < CAPTURES; c++)
			n += covered(&models[i]);
		ok(n >= CAPTURES * models[i].least / 100, "%s: %.1f %% covered",
		    models[i].name, 100.0 * n / CAPTURES);
	}
	return done_testing();
}
