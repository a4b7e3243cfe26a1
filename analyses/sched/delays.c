/* SPDX-License-Identifier: MIT */
/*
 * delays: durations in blocks that grow, later replaced by histograms.
 *
 * Blocks come from the run's memory and are reused by size.  Values of 2^32 - 1
 * and more are kept as two halves, in blocks of their own.
 */
#include "analyses/sched/delays.h"

#include <string.h>

enum { BUDGET = 64 << 20 };
/* Below this many values a store is smaller than its histogram. */
enum { LEAST = 1024 };
enum { POWERS = 64 };

/* 16, 32, ... 512 words with the head: small stores stay small. */
struct cp_delays_block {
	struct cp_delays_block *before;
	uint16_t used, size;
	uint32_t value[];
};

static size_t
block_bytes(int size)
{
	return (size_t)128 << size;
}

void
cp_delays_pool_init(struct cp_delays_pool *p, struct cp_run *run, size_t budget)
{
	*p = (struct cp_delays_pool){ .run = run,
		.budget = budget != 0 ? budget : BUDGET };
}

bool
cp_delays_exact(const struct cp_delays *q)
{
	return q->histogram == NULL;
}

/* ------------------------------------------------------------- histograms */

/*
 * Values below 2 * STEPS are steps themselves; others use the power of two and
 * the bits after the leading one.
 */
static int
power_of(uint64_t v)
{
	return v < 2 * CP_DELAYS_STEPS ? 0 : 63 - __builtin_clzll(v);
}

static unsigned
step_of(uint64_t v, int power)
{
	return power == 0 ? (unsigned)v
			  : (unsigned)(v >> (power - 7)) - CP_DELAYS_STEPS;
}

static uint64_t
middle_of(int power, unsigned step)
{
	uint64_t width;

	if (power == 0)
		return step;
	width = UINT64_C(1) << (power - 7);
	return ((uint64_t)step + CP_DELAYS_STEPS) * width + width / 2;
}

static void
histogram_add(struct cp_run *run, uint64_t **histogram, uint64_t v)
{
	int power = power_of(v);

	if (histogram[power] == NULL)
		histogram[power] =
		    cp_run_alloc(run, (power == 0 ? 2 : 1) * CP_DELAYS_STEPS *
					  sizeof(**histogram));
	histogram[power][step_of(v, power)]++;
}

/* ----------------------------------------------------------------- blocks */

static void
block_new(struct cp_delays_pool *p, struct cp_delays *q,
    struct cp_delays_block **list)
{
	struct cp_delays_block *b;
	int size = 0;

	if (*list != NULL) {
		size = (*list)->size;
		size += size < CP_DELAYS_SIZES - 1;
	}
	b = p->spare[size];
	if (b != NULL)
		p->spare[size] = b->before;
	else
		b = cp_run_alloc(p->run, block_bytes(size));
	b->before = *list;
	b->used = 0;
	b->size = (uint16_t)size;
	*list = b;
	p->bytes += block_bytes(size);
	q->bytes += block_bytes(size);
}

static void
put(struct cp_delays_pool *p, struct cp_delays *q,
    struct cp_delays_block **list, uint32_t word)
{
	struct cp_delays_block *b = *list;

	if (b == NULL ||
	    b->used == (block_bytes(b->size) - sizeof(*b)) / sizeof(word)) {
		block_new(p, q, list);
		b = *list;
	}
	b->value[b->used++] = word;
}

/* Called for every value of a store that is not a histogram. */
typedef void (*value_fn)(void *ctx, uint64_t value);

/* A pair of halves may lie in two blocks: the later one has the low half. */
static void
each_large(const struct cp_delays *q, value_fn fn, void *ctx)
{
	uint32_t low = 0;
	bool half = false;

	for (const struct cp_delays_block *b = q->large; b != NULL;
	     b = b->before)
		for (unsigned i = b->used; i-- != 0; half = !half)
			if (half)
				fn(ctx, (uint64_t)b->value[i] << 32 | low);
			else
				low = b->value[i];
}

static void
each(const struct cp_delays *q, value_fn fn, void *ctx)
{
	for (const struct cp_delays_block *b = q->last; b != NULL;
	     b = b->before)
		for (unsigned i = 0; i < b->used; i++)
			fn(ctx, b->value[i]);
	each_large(q, fn, ctx);
}

/* ----------------------------------------------------------------- budget */

struct turning {
	struct cp_run *run;
	uint64_t **histogram;
};

static void
turn_value(void *ctx, uint64_t v)
{
	struct turning *t = ctx;

	histogram_add(t->run, t->histogram, v);
}

static void
list_free(struct cp_delays_pool *p, struct cp_delays_block **list)
{
	while (*list != NULL) {
		struct cp_delays_block *b = *list;

		*list = b->before;
		p->bytes -= block_bytes(b->size);
		b->before = p->spare[b->size];
		p->spare[b->size] = b;
	}
}

/*
 * Turns the stores that hold more than the average into histograms.  Rare,
 * because each store is turned once.
 */
static void
relieve(struct cp_delays_pool *p)
{
	size_t n = 0, turned = 0, mean;

	for (struct cp_delays *q = p->all; q != NULL; q = q->next)
		n += q->bytes != 0;
	mean = p->bytes / n;
	for (struct cp_delays *q = p->all; q != NULL; q = q->next)
		if (q->bytes >= mean && q->count >= LEAST) {
			struct turning t = { p->run,
				cp_run_alloc(
				    p->run, POWERS * sizeof(*q->histogram)) };

			each(q, turn_value, &t);
			q->histogram = t.histogram;
			list_free(p, &q->last);
			list_free(p, &q->large);
			q->bytes = 0;
			turned++;
		}
	/* Only small stores remain; they are too many for the budget. */
	if (turned == 0)
		p->budget *= 2;
}

void
cp_delays_add(struct cp_delays_pool *p, struct cp_delays *q, uint64_t v)
{
	if (q->count++ == 0) {
		q->next = p->all;
		p->all = q;
		q->min = v;
	}
	q->sum += v;
	if (v > q->max)
		q->max = v;
	if (v < q->min)
		q->min = v;
	if (q->histogram != NULL) {
		histogram_add(p->run, q->histogram, v);
		return;
	}
	if (v < UINT32_MAX) {
		put(p, q, &q->last, (uint32_t)v);
	} else {
		put(p, q, &q->large, (uint32_t)(v >> 32));
		put(p, q, &q->large, (uint32_t)v);
	}
	if (p->bytes > p->budget)
		relieve(p);
}

/* ----------------------------------------------------------------- asking */

static void
scratch_grow(struct cp_delays_pool *p, size_t n)
{
	if (n <= p->cap)
		return;
	p->cap = n < 1024 ? 1024 : n + n / 2;
	p->sorted = cp_run_alloc(p->run, p->cap * sizeof(*p->sorted));
	p->scratch = cp_run_alloc(p->run, p->cap * sizeof(*p->scratch));
}

struct gathering {
	uint64_t *to;
	size_t n;
};

static void
gather_value(void *ctx, uint64_t v)
{
	struct gathering *g = ctx;

	g->to[g->n++] = v;
}

/* Sorts by bytes from the lowest on; skips bytes that all values share. */
static void
radix_sort(uint64_t *v, uint64_t *scratch, size_t n)
{
	uint64_t or = 0, and = UINT64_MAX, *from = v, *to = scratch, *swap;

	for (size_t i = 0; i < n; i++) {
		or |= v[i];
		and &= v[i];
	}
	for (int shift = 0; shift < 64; shift += 8) {
		size_t at[257] = { 0 };

		if (((or ^and) >> shift & 0xff) == 0)
			continue;
		for (size_t i = 0; i < n; i++)
			at[(from[i] >> shift & 0xff) + 1]++;
		for (int i = 1; i < 257; i++)
			at[i] += at[i - 1];
		for (size_t i = 0; i < n; i++)
			to[at[from[i] >> shift & 0xff]++] = from[i];
		swap = from;
		from = to;
		to = swap;
	}
	if (from != v)
		memcpy(v, from, n * sizeof(*v));
}

static void
insertion_sort(uint64_t *v, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		uint64_t x = v[i];
		size_t j = i;

		for (; j != 0 && v[j - 1] > x; j--)
			v[j] = v[j - 1];
		v[j] = x;
	}
}

/* Returns the smallest rank that reaches that share of n. */
static uint64_t
rank_of(double share, uint64_t n)
{
	double exact = share * (double)n;
	uint64_t rank = (uint64_t)exact;

	/* Ignores rounding errors: 0.9 * 10 must give 9. */
	if (exact - (double)rank > 1e-14 * (double)n)
		rank++;
	return rank == 0 ? 0 : rank > n ? n - 1 : rank - 1;
}

static void
ask_values(struct cp_delays_pool *p, const struct cp_delays *const *stores,
    size_t n_stores, const double *share, uint64_t *out, size_t n)
{
	struct gathering g = { .n = 0 };
	uint64_t count = 0;

	for (size_t i = 0; i < n_stores; i++)
		count += stores[i]->count;
	scratch_grow(p, (size_t)count);
	g.to = p->sorted;
	for (size_t i = 0; i < n_stores; i++)
		each(stores[i], gather_value, &g);
	if (g.n < 64)
		insertion_sort(g.to, g.n);
	else
		radix_sort(g.to, p->scratch, g.n);
	for (size_t i = 0; i < n; i++)
		out[i] = g.n != 0 ? g.to[rank_of(share[i], g.n)] : 0;
}

/* All stores as one histogram in sum. */
static uint64_t
merge(struct cp_run *run, const struct cp_delays *const *stores,
    size_t n_stores, uint64_t **sum)
{
	struct turning t = { run, sum };
	uint64_t count = 0;

	for (size_t i = 0; i < n_stores; i++) {
		count += stores[i]->count;
		each(stores[i], turn_value, &t);
		for (int p = 0; stores[i]->histogram != NULL && p < POWERS;
		     p++) {
			const uint64_t *from = stores[i]->histogram[p];
			unsigned steps = (p == 0 ? 2 : 1) * CP_DELAYS_STEPS;

			if (from == NULL)
				continue;
			if (sum[p] == NULL)
				sum[p] =
				    cp_run_alloc(run, steps * sizeof(**sum));
			for (unsigned s = 0; s < steps; s++)
				sum[p][s] += from[s];
		}
	}
	return count;
}

static uint64_t
histogram_at(uint64_t *const *histogram, uint64_t rank)
{
	for (int p = 0; p < POWERS; p++) {
		unsigned steps = (p == 0 ? 2 : 1) * CP_DELAYS_STEPS;

		for (unsigned s = 0; histogram[p] != NULL && s < steps; s++) {
			if (rank < histogram[p][s])
				return middle_of(p, s);
			rank -= histogram[p][s];
		}
	}
	return 0;
}

static void
ask_histogram(struct cp_delays_pool *p, const struct cp_delays *const *stores,
    size_t n_stores, const double *share, uint64_t *out, size_t n)
{
	uint64_t *sum[POWERS] = { NULL }, min = UINT64_MAX, max = 0;
	uint64_t count = merge(p->run, stores, n_stores, sum);

	for (size_t i = 0; i < n_stores; i++) {
		if (stores[i]->count != 0 && stores[i]->min < min)
			min = stores[i]->min;
		if (stores[i]->max > max)
			max = stores[i]->max;
	}
	for (size_t i = 0; i < n; i++) {
		out[i] = histogram_at(sum, rank_of(share[i], count));
		if (out[i] > max)
			out[i] = max;
		if (out[i] < min)
			out[i] = min;
	}
}

void
cp_delays_ask(struct cp_delays_pool *p, const struct cp_delays *const *stores,
    size_t n_stores, const double *share, uint64_t *out, size_t n)
{
	bool exact = true;

	for (size_t i = 0; i < n_stores; i++)
		exact &= cp_delays_exact(stores[i]);
	if (exact)
		ask_values(p, stores, n_stores, share, out, n);
	else
		ask_histogram(p, stores, n_stores, share, out, n);
}

struct telling {
	cp_delays_fn fn;
	void *ctx;
};

static void
tell_value(void *ctx, uint64_t v)
{
	struct telling *t = ctx;

	t->fn(t->ctx, v, 1);
}

void
cp_delays_each(const struct cp_delays *q, cp_delays_fn fn, void *ctx)
{
	struct telling t = { fn, ctx };

	each(q, tell_value, &t);
	if (q->histogram != NULL) {
		for (int p = 0; p < POWERS; p++) {
			unsigned steps = (p == 0 ? 2 : 1) * CP_DELAYS_STEPS;

			for (unsigned s = 0;
			     q->histogram[p] != NULL && s < steps; s++)
				if (q->histogram[p][s] != 0)
					fn(ctx, middle_of(p, s),
					    q->histogram[p][s]);
		}
	}
}
