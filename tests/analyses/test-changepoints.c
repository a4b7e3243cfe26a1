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

static void
check_stationary(void)
{
	static const struct {
		uint32_t n;
		double mean, spread;
	} c[] = { { 20, 0.35, 0 }, { 20, 2.5, 0 }, { 20, 5, 0 }, { 30, 5, 0 },
		{ 100, 0.5, 0 }, { 300, 20, 0 }, { 2000, 1, 0 },
		{ 2000, 10, 0 }, { 4000, 200, 0 }, { 1000, 50, 0.5 },
		{ 1000, 5, 0.8 } };

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
			alarms += look(c[i].n, c[i].mean, c[i].spread, c[i].n,
				      1) != 0;
		ok(alarms <= 8,
		    "one rate, %u bins of %g, spread %g: %u of 400 are cut",
		    c[i].n, c[i].mean, c[i].spread, alarms);
	}
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

int
main(void)
{
	check_stationary();
	check_steps();
	check_episode();
	return done_testing();
}
