/* SPDX-License-Identifier: MIT */
/* Percentiles of stores of durations beside those of a sort of all values. */
#include "analyses/delays.h"
#include "tests/analyses/host.h"
#include "tests/tap.h"

enum { SHARES = 6 };
static const double shares[SHARES] = { 0, 0.5, 0.9, 0.99, 0.999, 1 };

static uint64_t seed = 1;

/* Of all sizes, some beyond 32 bits. */
static uint64_t
draw(void)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (seed >> 20) >> (seed >> 58) % 44;
}

static int
compare(const void *va, const void *vb)
{
	const uint64_t *a = va, *b = vb;

	return (*a > *b) - (*a < *b);
}

/* The smallest that at least that share of n do not exceed. */
static uint64_t
sorted_at(const uint64_t *v, size_t n, int share)
{
	static const size_t thousandths[SHARES] = { 0, 500, 900, 990, 999,
		1000 };
	size_t rank = (n * thousandths[share] + 999) / 1000;

	return v[rank == 0 ? 0 : rank - 1];
}

/* n values in that many stores; off: how far a percentile may be, 1 / off. */
static void
check(size_t n, size_t stores, size_t budget, uint64_t off, const char *what)
{
	struct cp_run *run = host_new();
	struct cp_delays_pool pool;
	struct cp_delays *store = cp_xcalloc(stores, sizeof(*store));
	const struct cp_delays **all = cp_xcalloc(stores, sizeof(*all));
	uint64_t *v = cp_xcalloc(n, sizeof(*v)), at[SHARES];
	bool exact = true;

	cp_delays_pool_init(&pool, run, budget);
	for (size_t i = 0; i < n; i++) {
		v[i] = draw();
		cp_delays_add(&pool, &store[i * i % stores], v[i]);
	}
	for (size_t i = 0; i < stores; i++) {
		all[i] = &store[i];
		exact &= cp_delays_exact(&store[i]);
	}
	qsort(v, n, sizeof(*v), compare);
	cp_delays_ask(&pool, all, stores, shares, at, SHARES);
	ok(exact == (off == 0), "%s: %s", what, exact ? "exact" : "rough");
	for (int i = 0; i < SHARES; i++) {
		uint64_t want = sorted_at(v, n, i);
		uint64_t far = at[i] > want ? at[i] - want : want - at[i];

		ok(off == 0 ? far == 0 : far <= want / off,
		    "%s: %.1f %% is %" PRIu64 ", by a sort %" PRIu64, what,
		    shares[i] * 100, at[i], want);
	}
	free(store);
	free(all);
	free(v);
	host_free(run);
}

int
main(void)
{
	check(1, 1, 0, 0, "one value");
	check(7, 1, 0, 0, "seven");
	check(1000, 1, 0, 0, "a thousand");
	check(100000, 1, 0, 0, "many");
	check(100000, 37, 0, 0, "many in 37 stores");
	check(100000, 1, 64 << 10, 2 * CP_DELAYS_STEPS, "too many");
	check(200000, 5, 64 << 10, 2 * CP_DELAYS_STEPS,
	    "too many in 5 stores");
	return done_testing();
}
