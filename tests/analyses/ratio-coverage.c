/* SPDX-License-Identifier: MIT */
/*
 * The 95 % intervals of cycles per instruction hold the true ratio in at least
 * 93 of 100 simulated captures: of events sampled by themselves with periods
 * of any spread, and of readings that lie more or less around a ratio.
 */
#include <math.h>
#include <string.h>

#include "analyses/common/ratio.h"
#include "tests/analyses/draw.h"
#include "tests/tap.h"

#define CAPTURES 2000

static double
normal(void)
{
	return sqrt(-2 * log(draw())) * cos(2 * M_PI * draw());
}

static double
equal(void)
{
	return 10000;
}

static double
exponential(void)
{
	return -log(draw()) * 1e6;
}

static double
lognormal(void)
{
	return exp(normal()) * 1e6;
}

static double
pareto(void)
{
	return pow(draw(), -1 / 1.8) * 1e6;
}

static void
add(struct cp_counts *c, enum cp_role role, uint64_t weight)
{
	c->mass[role].weight += weight;
	c->mass[role].weight_sq += (double)weight * (double)weight;
	c->samples[role]++;
}

/* -------------------------------------------------- events by themselves */

struct separate {
	const char *name;
	double (*period)(void);
	unsigned cycles, instructions;     /* samples of the capture */
	double cycles_in, instructions_in; /* shares of the row */
	unsigned least;                    /* percent covered */
};

static const struct separate separates[] = {
	{ "fixed periods, 10 %", equal, 1000, 1000, 0.1, 0.1, 93 },
	{ "fixed periods, 20 samples", equal, 400, 400, 0.05, 0.05, 93 },
	{ "fixed periods, slow row", equal, 1000, 1000, 0.2, 0.03, 93 },
	{ "fixed periods, most of all", equal, 500, 300, 0.9, 0.8, 93 },
	{ "fixed periods, few", equal, 300, 300, 0.05, 0.05, 93 },
	{ "exponential periods, 10 %", exponential, 1000, 800, 0.1, 0.2, 93 },
	{ "exponential periods, 4 %", exponential, 500, 500, 0.04, 0.04, 93 },
	{ "log-normal periods, 10 %", lognormal, 1000, 1000, 0.1, 0.05, 93 },
	{ "log-normal periods, 3 %", lognormal, 600, 600, 0.03, 0.03, 93 },
	{ "Pareto periods, 10 %", pareto, 1000, 1000, 0.1, 0.1, 93 },
	{ "Pareto periods, 60 %", pareto, 300, 300, 0.6, 0.5, 93 },
};

static void
sample_event(const struct separate *m, struct cp_counts *row,
    struct cp_counts *whole, enum cp_role role)
{
	bool cycles = role == CP_ROLE_CYCLES;
	unsigned n = cycles ? m->cycles : m->instructions;
	double share = cycles ? m->cycles_in : m->instructions_in;

	for (unsigned i = 0; i < n; i++) {
		uint64_t period = 1 + (uint64_t)m->period();

		add(whole, role, period);
		if (draw() < share)
			add(row, role, period);
	}
}

/* 1: the truth is inside; 0: it is not; -1: nothing was said. */
static int
separate_covered(const struct separate *m)
{
	struct cp_counts row = { 0 }, whole = { 0 };
	struct cp_ratio r;
	double truth;

	sample_event(m, &row, &whole, CP_ROLE_CYCLES);
	sample_event(m, &row, &whole, CP_ROLE_INSTRUCTIONS);
	truth = (double)whole.mass[CP_ROLE_CYCLES].weight * m->cycles_in /
		((double)whole.mass[CP_ROLE_INSTRUCTIONS].weight *
		    m->instructions_in);
	r = cp_ratio_of(&row, &whole, CP_RATIO_CPI, false);
	if (isnan(r.value))
		return -1;
	return r.lo <= truth && truth <= r.hi;
}

/* ---------------------------------------------------------------- readings */

struct reading {
	const char *name;
	double (*cycles)(void);
	double spread; /* of the ratio, its logarithm */
	unsigned readings;
	unsigned least;
};

static const struct reading readings[] = {
	{ "readings, all alike", equal, 0.1, 100, 93 },
	{ "readings, far apart", equal, 0.8, 100, 93 },
	{ "readings, few", equal, 0.3, 12, 93 },
	{ "readings of any length", exponential, 0.3, 60, 93 },
	{ "readings of any length, far apart", exponential, 0.6, 300, 93 },
};

static int
reading_covered(const struct reading *m)
{
	struct cp_counts row = { 0 };
	struct cp_ratio r;
	/* The mean of what is log-normal lies above its median. */
	double truth = 2 / exp(m->spread * m->spread / 2);

	for (unsigned i = 0; i < m->readings; i++) {
		double c = 1 + m->cycles(), n;

		n = c / 2 * exp(m->spread * normal());
		add(&row, CP_ROLE_CYCLES, (uint64_t)c);
		add(&row, CP_ROLE_INSTRUCTIONS, (uint64_t)n);
		c = floor(c) + floor(n);
		row.both_sq[CP_RATIO_CPI] += c * c;
		row.readings[CP_RATIO_CPI]++;
	}
	r = cp_ratio_of(&row, &row, CP_RATIO_CPI, true);
	if (isnan(r.value))
		return -1;
	return r.lo <= truth && truth <= r.hi;
}

static void
say(const char *name, const unsigned n[3], unsigned least)
{
	/* n: not covered, covered, not said. */
	ok(n[0] + n[1] > CAPTURES / 4 && n[1] * 100 >= (n[0] + n[1]) * least,
	    "%s: %.1f %% covered", name, 100.0 * n[1] / (n[0] + n[1]));
}

int
main(void)
{
	for (size_t i = 0; i < sizeof(separates) / sizeof(separates[0]); i++) {
		unsigned n[3] = { 0 };
		int k;

		seed = 42 + i;
		for (unsigned c = 0; c < CAPTURES; c++) {
			k = separate_covered(&separates[i]);
			n[k < 0 ? 2 : k]++;
		}
		say(separates[i].name, n, separates[i].least);
	}
	for (size_t i = 0; i < sizeof(readings) / sizeof(readings[0]); i++) {
		unsigned n[3] = { 0 };
		int k;

		seed = 4711 + i;
		for (unsigned c = 0; c < CAPTURES; c++) {
			k = reading_covered(&readings[i]);
			n[k < 0 ? 2 : k]++;
		}
		say(readings[i].name, n, readings[i].least);
	}
	return done_testing();
}
