/* SPDX-License-Identifier: MIT */
/*
 * Percentiles against a sort of all values: the same value while all are
 * kept, at most 1/2048 too small when there are more; merging sets says the
 * same as adding their values to one.
 */
#include "analyses/quantiles.h"
#include "tests/analyses/host.h"
#include "tests/tap.h"

#define MANY (3 * CP_QUANTILES_EXACT)

static uint64_t seed = 1;

/* Latencies: over some orders of magnitude, with many that are equal. */
static uint64_t
draw(void)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (seed >> 40) >> (seed >> 33) % 20;
}

static int
compare(const void *va, const void *vb)
{
	const uint64_t *a = va, *b = vb;

	return (*a > *b) - (*a < *b);
}

/* The smallest value that at least share of all do not exceed. */
static uint64_t
by_sort(const uint64_t *sorted, size_t n, unsigned permille)
{
	size_t rank = (n * permille + 999) / 1000;

	return sorted[rank != 0 ? rank - 1 : 0];
}

static bool
near(uint64_t got, uint64_t want, bool exact)
{
	return exact ? got == want
		     : got <= want && want - got <= want / 2048;
}

static bool
agree(struct cp_quantiles *q, uint64_t *values, size_t n, bool exact)
{
	static const unsigned permille[] = { 0, 1, 100, 500, 900, 950, 990,
		999, 1000 };
	uint64_t sum = 0;

	qsort(values, n, sizeof(*values), compare);
	for (size_t i = 0; i < n; i++)
		sum += values[i];
	if (q->n != n || q->sum != sum || q->min != values[0] ||
	    q->max != values[n - 1] || cp_quantiles_mean(q) != sum / n)
		return false;
	for (size_t i = 0; i < CP_ARRAY_LEN(permille); i++)
		if (!near(cp_quantiles_at(q, permille[i] / 1000.0),
			by_sort(values, n, permille[i]), exact))
			return false;
	return true;
}

static void
fill(struct cp_run *run, struct cp_quantiles *q, uint64_t *values, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		values[i] = draw();
		cp_quantiles_add(run, q, values[i], i);
	}
}

static void
test_sizes(struct cp_run *run, uint64_t *values)
{
	static const size_t sizes[] = { 1, 2, 3, 10, 999, 1000,
		CP_QUANTILES_EXACT, CP_QUANTILES_EXACT + 1, MANY };

	for (size_t i = 0; i < CP_ARRAY_LEN(sizes); i++) {
		struct cp_quantiles q = { 0 };
		bool exact = sizes[i] <= CP_QUANTILES_EXACT;

		fill(run, &q, values, sizes[i]);
		ok(agree(&q, values, sizes[i], exact), "%zu values: %s",
		    sizes[i],
		    exact ? "as sorted" : "as sorted, within 1/2048");
	}
}

static void
test_merge(struct cp_run *run, uint64_t *values)
{
	static const size_t parts[][2] = { { 0, 5 }, { 7, 0 }, { 100, 200 },
		{ CP_QUANTILES_EXACT, 1 }, { 1, CP_QUANTILES_EXACT + 1 },
		{ CP_QUANTILES_EXACT + 9, CP_QUANTILES_EXACT + 9 } };

	for (size_t i = 0; i < CP_ARRAY_LEN(parts); i++) {
		struct cp_quantiles a = { 0 }, b = { 0 };
		size_t n = parts[i][0] + parts[i][1];

		fill(run, &a, values, parts[i][0]);
		fill(run, &b, values + parts[i][0], parts[i][1]);
		cp_quantiles_merge(run, &a, &b);
		ok(agree(&a, values, n, n <= CP_QUANTILES_EXACT),
		    "%zu values and %zu merged", parts[i][0], parts[i][1]);
	}
}

static void
test_edges(struct cp_run *run)
{
	struct cp_quantiles none = { 0 }, huge = { 0 };

	ok(cp_quantiles_at(&none, 0.5) == 0 && cp_quantiles_mean(&none) == 0,
	    "of nothing: 0");
	for (int i = 0; i < 2 * (int)CP_QUANTILES_EXACT; i++)
		cp_quantiles_add(run, &huge, i % 2 != 0 ? UINT64_MAX : 0, 0);
	ok(cp_quantiles_at(&huge, 0.5) == 0 &&
	        cp_quantiles_at(&huge, 1) == UINT64_MAX,
	    "the smallest and the largest number");
	cp_quantiles_add(run, &none, 7, 100);
	cp_quantiles_add(run, &none, 9, 200);
	cp_quantiles_add(run, &none, 9, 300);
	ok(none.max_at == 200, "when the largest was first seen");
}

int
main(void)
{
	struct cp_run *run = host_new();
	uint64_t *values = cp_xcalloc(MANY, sizeof(*values));

	test_sizes(run, values);
	test_merge(run, values);
	test_edges(run);
	free(values);
	host_free(run);
	return done_testing();
}
