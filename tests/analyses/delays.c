/* SPDX-License-Identifier: MIT */
/* Percentiles of stores of durations beside those of a sort of all values. */
#include "analyses/sched/delays.h"
#include "tests/analyses/host.h"
#include "tests/analyses/sorted.h"
#include "tests/tap.h"

enum { SHARES = 6, BITS = 44 }; /* some values do not fit 32 bits */
static const unsigned permille[SHARES] = { 0, 500, 900, 990, 999, 1000 };

struct stores {
	struct cp_delays_pool pool;
	struct cp_delays *store;
	const struct cp_delays **all;
	size_t n;
};

static bool
fill(struct stores *s, struct sorted *sorted, size_t n)
{
	bool exact = true;

	for (size_t i = 0; i < n; i++)
		cp_delays_add(&s->pool, &s->store[i * i % s->n],
		    sorted_draw(sorted, BITS));
	sorted_sort(sorted);
	for (size_t i = 0; i < s->n; i++) {
		s->all[i] = &s->store[i];
		exact &= cp_delays_exact(&s->store[i]);
	}
	return exact;
}

static void
check_shares(struct stores *s, const struct sorted *sorted, uint64_t off,
    const char *what)
{
	double shares[SHARES];
	uint64_t at[SHARES];

	for (int i = 0; i < SHARES; i++)
		shares[i] = permille[i] / 1000.0;
	cp_delays_ask(&s->pool, s->all, s->n, shares, at, SHARES);
	for (int i = 0; i < SHARES; i++) {
		uint64_t want = sorted_at(sorted, permille[i]);
		uint64_t far = at[i] > want ? at[i] - want : want - at[i];

		ok(off == 0 ? far == 0 : far <= want / off,
		    "%s: %.1f %% is %" PRIu64 ", by a sort %" PRIu64, what,
		    shares[i] * 100, at[i], want);
	}
}

/* n values in that many stores; off: how far a percentile may be, 1 / off. */
static void
check(size_t n, size_t stores, size_t budget, uint64_t off, const char *what)
{
	struct cp_run *run = host_new();
	struct stores s = { .store = cp_xcalloc(stores, sizeof(*s.store)),
		.all = cp_xcalloc(stores, sizeof(*s.all)),
		.n = stores };
	struct sorted sorted = { .v = cp_xcalloc(n, sizeof(*sorted.v)),
		.seed = 1 };
	bool exact;

	cp_delays_pool_init(&s.pool, run, budget);
	exact = fill(&s, &sorted, n);
	ok(exact == (off == 0), "%s: %s", what, exact ? "exact" : "rough");
	check_shares(&s, &sorted, off, what);
	free(s.store);
	free(s.all);
	free(sorted.v);
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
	check(200000, 5, 64 << 10, 2 * CP_DELAYS_STEPS, "too many in 5 stores");
	return done_testing();
}
