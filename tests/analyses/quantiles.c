/* SPDX-License-Identifier: MIT */
/*
 * Percentiles against a sort of all values: the same value while all are
 * kept, at most 1/2048 too small when there are more; merging sets says the
 * same as adding their values to one.
 */
#include "tests/analyses/host.h"
#include "tests/analyses/sorted.h"
#include "tests/tap.h"

#define MANY (3 * CP_QUANTILES_EXACT)

enum { BITS = 24 }; /* many are equal */

static bool
near(uint64_t got, uint64_t want, bool exact)
{
	return exact ? got == want : got <= want && want - got <= want / 2048;
}

static bool
agree(struct cp_quantiles *q, struct sorted *s, bool exact)
{
	static const unsigned permille[] = { 0, 1, 100, 500, 900, 950, 990, 999,
		1000 };
	uint64_t sum = sorted_sum(s);

	sorted_sort(s);
	if (q->n != s->n || q->sum != sum || q->min != s->v[0] ||
	    q->max != s->v[s->n - 1] || cp_quantiles_mean(q) != sum / s->n)
		return false;
	for (size_t i = 0; i < CP_ARRAY_LEN(permille); i++)
		if (!near(cp_quantiles_at(q, permille[i] / 1000.0),
			sorted_at(s, permille[i]), exact))
			return false;
	return true;
}

static void
fill(struct cp_run *run, struct cp_quantiles *q, struct sorted *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		cp_quantiles_add(run, q, sorted_draw(s, BITS), i);
}

static void
test_sizes(struct cp_run *run, struct sorted *s)
{
	static const size_t sizes[] = { 1, 2, 3, 10, 999, 1000,
		CP_QUANTILES_EXACT, CP_QUANTILES_EXACT + 1, MANY };

	for (size_t i = 0; i < CP_ARRAY_LEN(sizes); i++) {
		struct cp_quantiles q = { 0 };
		bool exact = sizes[i] <= CP_QUANTILES_EXACT;

		s->n = 0;
		fill(run, &q, s, sizes[i]);
		ok(agree(&q, s, exact), "%zu values: %s", sizes[i],
		    exact ? "as sorted" : "as sorted, within 1/2048");
	}
}

static void
test_merge(struct cp_run *run, struct sorted *s)
{
	static const size_t parts[][2] = { { 0, 5 }, { 7, 0 }, { 100, 200 },
		{ CP_QUANTILES_EXACT, 1 }, { 1, CP_QUANTILES_EXACT + 1 },
		{ CP_QUANTILES_EXACT + 9, CP_QUANTILES_EXACT + 9 } };

	for (size_t i = 0; i < CP_ARRAY_LEN(parts); i++) {
		struct cp_quantiles a = { 0 }, b = { 0 };

		s->n = 0;
		fill(run, &a, s, parts[i][0]);
		fill(run, &b, s, parts[i][1]);
		cp_quantiles_merge(run, &a, &b);
		ok(agree(&a, s, s->n <= CP_QUANTILES_EXACT),
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

static void
test_note(void)
{
	struct cp_report rep;

	cp_report_init(&rep, "x");
	cp_quantiles_note(&rep, CP_QUANTILES_EXACT);
	ok(rep.first == NULL, "percentiles of values need no note");
	cp_quantiles_note(&rep, CP_QUANTILES_EXACT + 1);
	ok(rep.first != NULL && strstr(rep.first->notes.data[0], "buckets"),
	    "those of buckets do");
	cp_report_free(&rep);
}

int
main(void)
{
	struct cp_run *run = host_new();
	struct sorted s = { .v = cp_xcalloc(MANY, sizeof(*s.v)), .seed = 1 };

	test_sizes(run, &s);
	test_merge(run, &s);
	test_edges(run);
	test_note();
	free(s.v);
	host_free(run);
	return done_testing();
}
