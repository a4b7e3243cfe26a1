/* SPDX-License-Identifier: MIT */
#include "analyses/sched/delays.h"

/* 1, 2, 5, 10, 20 ...: the bins of a histogram that people read. */
enum { BINS = 61 };

struct bins {
	uint64_t edge[BINS]; /* bin i: edge[i] up to edge[i + 1] */
	uint64_t count[BINS], total[BINS];
	unsigned n;
	uint8_t first[64]; /* bin of 1 << i */
};

/*
 * Returns the bin of v.  The search starts at a bin not above it; few bins
 * start within a factor of two.
 */
static unsigned
bin_of(const struct bins *b, unsigned from, uint64_t v)
{
	while (from + 1 < b->n && b->edge[from + 1] <= v)
		from++;
	return from;
}

static void
bins_make(struct bins *b)
{
	uint64_t ten = 1;

	*b = (struct bins){ .n = 1 };
	for (unsigned i = 0; b->n < BINS; i++) {
		static const uint64_t times[] = { 1, 2, 5 };

		if (i != 0 && i % 3 == 0 &&
		    __builtin_mul_overflow(ten, 10u, &ten))
			break;
		if (__builtin_mul_overflow(ten, times[i % 3], &b->edge[b->n]))
			break;
		b->n++;
	}
	for (unsigned i = 0, bin = 0; i < 64; i++)
		b->first[i] = (uint8_t)(bin = bin_of(b, bin, UINT64_C(1) << i));
}

static void
bins_add(void *ctx, uint64_t v, uint64_t count)
{
	struct bins *b = ctx;
	unsigned from =
	    v == 0 ? 0 : bin_of(b, b->first[63 - __builtin_clzll(v)], v);

	b->count[from] += count;
	b->total[from] += v * count;
}

void
cp_delays_show(struct cp_run *run, const struct cp_delays *const *stores,
    size_t n_stores, struct cp_histogram *h)
{
	struct bins *b = cp_run_alloc(run, sizeof(*b));
	unsigned first = 0, last;

	bins_make(b);
	for (size_t i = 0; i < n_stores; i++)
		cp_delays_each(stores[i], bins_add, b);
	last = b->n;
	while (first < last && b->count[first] == 0)
		first++;
	while (last > first && b->count[last - 1] == 0)
		last--;
	cp_histogram_unit(h, "total", CP_COL_TIME);
	for (; first < last; first++) {
		cp_histogram_bin(h, b->edge[first],
		    first + 1 < b->n ? b->edge[first + 1] : UINT64_MAX,
		    b->count[first]);
		cp_histogram_weight(h, b->total[first]);
	}
}
