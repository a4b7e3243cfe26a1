/* SPDX-License-Identifier: MIT */
/* Change points: none in what has one rate, and where the rate changes. */
#include "analyses/timeline/changepoints.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tests/tap.h"

static struct cp_arena arena;
static uint64_t seed = 88172645463325252u;

/* All that is asked of the host. */
void *
cp_run_alloc(struct cp_run *run, size_t n)
{
	return cp_arena_alloc(&arena, n);
}

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

static double series[4096];
static struct cp_changepoint found[200];

/* From `at` on the mean is multiplied by `factor`; rates vary by `spread`. */
static size_t
look(uint32_t n, double mean, double spread, uint32_t at, double factor)
{
	size_t cuts;

	for (uint32_t i = 0; i < n; i++)
		series[i] = poisson(
		    mean * (i < at ? 1 : factor) * exp(spread * normal()));
	cuts = cp_changepoints(NULL, series, n, 100, found);
	cp_arena_free(&arena);
	return cuts;
}

/* A load that wanders: each bin remembers the rate of the one before it. */
static size_t
wander(uint32_t n, double mean, double spread, double memory)
{
	double z = normal();
	size_t cuts;

	for (uint32_t i = 0; i < n; i++) {
		z = memory * z + sqrt(1 - memory * memory) * normal();
		series[i] = poisson(mean * exp(spread * z));
	}
	cuts = cp_changepoints(NULL, series, n, 100, found);
	cp_arena_free(&arena);
	return cuts;
}

static void
check_stationary(void)
{
	static const struct {
		uint32_t n;
		double mean, spread;
		double memory; /* 0: each bin has a rate of its own */
	} c[] = { { 20, 0.35, 0, 0 }, { 20, 2.5, 0, 0 }, { 20, 5, 0, 0 },
		{ 30, 5, 0, 0 }, { 100, 0.5, 0, 0 }, { 300, 20, 0, 0 },
		{ 2000, 1, 0, 0 }, { 2000, 10, 0, 0 }, { 4000, 200, 0, 0 },
		{ 1000, 50, 0.5, 0 }, { 1000, 5, 0.8, 0 },
		{ 1500, 20, 0.3, 0.99 }, { 1500, 20, 0.5, 0.97 } };

	ok(look(20, 0, 0, 20, 1) == 0, "nothing is not cut");
	memset(series, 0, sizeof(series));
	for (uint32_t i = 13; i < 20; i++)
		series[i] = 1;
	ok(cp_changepoints(NULL, series, 20, 100, found) == 0,
	    "7 samples tell no rate, wherever they lie");
	cp_arena_free(&arena);
	for (size_t i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
		unsigned alarms = 0;

		for (unsigned t = 0; t < 400; t++)
			alarms += wander(c[i].n, c[i].mean, c[i].spread,
				      c[i].memory) != 0;
		/* A spread of 0.8 has bins of the fivefold by chance. */
		ok(alarms <= (c[i].spread < 0.8 ? 16 : 20),
		    "one rate, %u bins of %g, spread %g, memory %g: "
		    "%u of 400 are cut",
		    c[i].n, c[i].mean, c[i].spread, c[i].memory, alarms);
	}
}

/* Requests that come at random: the rate is of bursts, not of a change. */
static void
check_bursts(void)
{
	unsigned alarms = 0;

	for (unsigned t = 0; t < 100; t++) {
		for (uint32_t i = 0; i < 1500;) {
			uint32_t on = 1 + (uint32_t)(-8 * log(uniform()));
			uint32_t off = 1 + (uint32_t)(-20 * log(uniform()));

			for (; on != 0 && i < 1500; on--)
				series[i++] = poisson(12);
			for (; off != 0 && i < 1500; off--)
				series[i++] = poisson(1);
		}
		alarms += cp_changepoints(NULL, series, 1500, 100, found) != 0;
		cp_arena_free(&arena);
	}
	ok(alarms <= 2, "bursts at random: %u of 100 are cut", alarms);
}

static void
check_steps(void)
{
	unsigned hits = 0, exact = 0, held = 0;

	for (unsigned t = 0; t < 200; t++) {
		size_t n = look(600, 20, 0, 400, 1.5);

		hits += n == 1;
		if (n != 1)
			continue;
		exact += abs((int)found[0].at - 400) <= 3;
		held += found[0].lo <= 0.5 && 0.5 <= found[0].hi;
	}
	ok(hits >= 192, "half as much again: one change in %u of 200", hits);
	ok(exact >= 180, "within three bins of where it is in %u", exact);
	ok(held >= 180, "its interval holds it in %u", held);
	hits = 0;
	for (unsigned t = 0; t < 200; t++)
		hits += look(600, 20, 0, 590, 4) == 1;
	ok(hits >= 192, "a change near the end: in %u of 200", hits);
	ok(look(600, 0, 0, 600, 1) == 0, "nothing has no changes");
	ok(look(600, 0, 0, 300, 1) == 0 && look(4, 9, 0, 2, 100) == 0,
	    "four bins are too few");
}

static void
check_episode(void)
{
	unsigned hits = 0;
	size_t n;

	for (unsigned t = 0; t < 200; t++) {
		for (uint32_t i = 0; i < 1200; i++)
			series[i] = poisson(i >= 500 && i < 560 ? 60 : 12);
		n = cp_changepoints(NULL, series, 1200, 100, found);
		hits += n == 2 && abs((int)found[0].at - 500) <= 1 &&
			abs((int)found[1].at - 560) <= 1;
		cp_arena_free(&arena);
	}
	ok(hits >= 190, "an episode has two ends: in %u of 200", hits);
}

/* One second of sixty at five times the rate, as far as samples are rare. */
static void
check_slow_second(void)
{
	static const double rates[] = { 20, 50, 100, 500 }; /* a second */

	for (unsigned r = 0; r < 4; r++) {
		uint32_t bins = fmin(rates[r] * 12, 1500);
		double length = 60.0 / bins;
		unsigned hits = 0;
		size_t n;

		for (unsigned t = 0; t < 100; t++) {
			for (uint32_t i = 0; i < bins; i++)
				series[i] = poisson(
				    rates[r] * length *
				    (i * length >= 30 && i * length < 31 ? 5
									 : 1));
			n = cp_changepoints(NULL, series, bins, 100, found);
			hits += n == 2 &&
				fabs(found[0].at * length - 30) < 0.5 &&
				fabs(found[1].at * length - 31) < 0.5;
			cp_arena_free(&arena);
		}
		ok(hits >= 90, "a slow second among %g a second: %u of 100",
		    rates[r], hits);
	}
}

int
main(void)
{
	check_stationary();
	check_bursts();
	check_slow_second();
	check_steps();
	check_episode();
	return done_testing();
}
