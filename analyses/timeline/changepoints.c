/* SPDX-License-Identifier: MIT */
#include "analyses/timeline/changepoints.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A part has at least this many bins: fewer are an outlier, not a rate. */
#define SHORTEST 5u
/*
 * Penalty per logarithm of the length, and a further one for short series, for
 * which the logarithm is too small; see tests/analyses/test-changepoints.c.
 */
#define PENALTY 3.0
#define PENALTY_SHORT 45.0
/* Fewer counts tell no rate. */
#define LEAST_COUNTS 20

struct part {
	uint32_t from, to;
};

struct series {
	const double *sum; /* of the counts before */
	double dispersion, least;
};

static double
term(double count, double length)
{
	return count > 0 ? count * log(count / length) : 0;
}

/* Returns how much better two rates explain a part than one. */
static double
gain_of(const struct series *s, uint32_t from, uint32_t at, uint32_t to)
{
	double left = s->sum[at] - s->sum[from];
	double right = s->sum[to] - s->sum[at];

	return 2 *
	       (term(left, at - from) + term(right, to - at) -
		   term(left + right, to - from)) /
	       s->dispersion;
}

/* Returns the best place to cut, 0 if none is good enough. */
static uint32_t
best_cut(const struct series *s, struct part p)
{
	uint32_t best = 0;
	double most = s->least;

	for (uint32_t i = p.from + SHORTEST; i + SHORTEST <= p.to; i++) {
		double gain = gain_of(s, p.from, i, p.to);

		if (gain > most) {
			most = gain;
			best = i;
		}
	}
	return best;
}

static int
compare_doubles(const void *pa, const void *pb)
{
	double a = *(const double *)pa, b = *(const double *)pb;

	return (a > b) - (a < b);
}

/*
 * Estimates overdispersion: the squared differences of neighbours, relative to
 * Poisson's, without the largest hundredth, which may be the changes looked
 * for.
 */
static double
overdispersion(struct cp_run *run, const double *count, uint32_t n)
{
	double *square = cp_run_alloc(run, (n + 1) * sizeof(*square));
	double sum = 0, all = 0;
	uint32_t m = 0, used;

	for (uint32_t i = 1; i < n; i++) {
		double d = count[i] - count[i - 1];

		square[m++] = d * d;
		all += count[i] + count[i - 1];
	}
	if (m < 8 || all <= 0)
		return 1;
	qsort(square, m, sizeof(*square), compare_doubles);
	used = m - m / 100 - 2;
	for (uint32_t i = 0; i < used; i++)
		sum += square[i];
	/* The missing hundredth has a twelfth of the sum of normal squares. */
	return fmax(1, sum * 12 / 11 / all);
}

/* Removes cuts that are not good enough between their neighbours. */
static size_t
prune(const struct series *s, uint32_t *cut, size_t n, uint32_t end)
{
	for (;;) {
		size_t worst = n;
		double least = s->least;

		for (size_t i = 0; i < n; i++) {
			double gain = gain_of(s, i != 0 ? cut[i - 1] : 0,
			    cut[i], i + 1 < n ? cut[i + 1] : end);

			if (gain < least) {
				least = gain;
				worst = i;
			}
		}
		if (worst == n)
			return n;
		memmove(&cut[worst], &cut[worst + 1],
		    (n - worst - 1) * sizeof(*cut));
		n--;
	}
}

/* Moves each cut to the best place between its neighbours. */
static void
settle(const struct series *s, uint32_t *cut, size_t n, uint32_t end)
{
	for (size_t i = 0; i < n; i++) {
		struct part p = { i != 0 ? cut[i - 1] : 0,
			i + 1 < n ? cut[i + 1] : end };
		uint32_t better = best_cut(s, p);

		if (better != 0)
			cut[i] = better;
	}
}

/*
 * An inexact first cut leads to two cuts around the true one.  Replaces two
 * neighbours by one if they explain hardly more.
 */
static size_t
join(const struct series *s, uint32_t *cut, size_t n, uint32_t end)
{
	for (size_t i = 0; i + 1 < n;) {
		struct part p = { i != 0 ? cut[i - 1] : 0,
			i + 2 < n ? cut[i + 2] : end };
		uint32_t one = best_cut(s, p);
		double two = gain_of(s, p.from, cut[i], p.to) +
			     gain_of(s, cut[i], cut[i + 1], p.to);

		if (one == 0 ||
		    two - gain_of(s, p.from, one, p.to) >= s->least) {
			i++;
			continue;
		}
		cut[i] = one;
		memmove(&cut[i + 1], &cut[i + 2], (n - i - 2) * sizeof(*cut));
		n--;
	}
	return n;
}

static void
describe(const struct series *s, struct cp_changepoint *c, uint32_t from,
    uint32_t at, uint32_t to)
{
	double left = s->sum[at] - s->sum[from];
	double right = s->sum[to] - s->sum[at];
	double d, error;

	*c = (struct cp_changepoint){ .at = at,
		.before = left / (at - from),
		.after = right / (to - at),
		.gain = gain_of(s, from, at, to) };
	c->change = left > 0 ? c->after / c->before - 1 : INFINITY;
	d = log((right + 0.5) / (to - at)) - log((left + 0.5) / (at - from));
	error = sqrt(s->dispersion * (1 / (left + 0.5) + 1 / (right + 0.5)));
	c->lo = right > 0 ? exp(d - 1.96 * error) - 1 : -1;
	c->hi = exp(d + 1.96 * error) - 1;
}

static int
compare_cuts(const void *pa, const void *pb)
{
	uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;

	return (a > b) - (a < b);
}

/* Finds all cuts, of the whole and then of its parts, in no order. */
static size_t
segment(const struct series *s, struct cp_run *run, uint32_t n, size_t max,
    uint32_t *cut)
{
	struct part *todo = cp_run_alloc(run, (max + 2) * sizeof(*todo));
	size_t waiting = 1, cuts = 0;

	todo[0] = (struct part){ 0, n };
	while (waiting != 0 && cuts < max) {
		struct part p = todo[--waiting];
		uint32_t at = best_cut(s, p);

		if (at == 0)
			continue;
		cut[cuts++] = at;
		todo[waiting++] = (struct part){ p.from, at };
		todo[waiting++] = (struct part){ at, p.to };
	}
	qsort(cut, cuts, sizeof(*cut), compare_cuts);
	return cuts;
}

bool
cp_changepoints_tell(const double *count, uint32_t n)
{
	double sum = 0;

	for (uint32_t i = 0; i < n; i++)
		sum += count[i];
	return n >= 2 * SHORTEST && sum >= LEAST_COUNTS;
}

size_t
cp_changepoints(struct cp_run *run, const double *count, uint32_t n, size_t max,
    struct cp_changepoint *out)
{
	double *sum = cp_run_alloc(run, ((size_t)n + 1) * sizeof(*sum));
	uint32_t *cut = cp_run_alloc(run, (max + 1) * sizeof(*cut));
	struct series s = { .sum = sum };
	size_t cuts;

	for (uint32_t i = 0; i < n; i++)
		sum[i + 1] = sum[i] + count[i];
	if (!cp_changepoints_tell(count, n))
		return 0;
	s.dispersion = overdispersion(run, count, n);
	s.least = PENALTY * log(n) + PENALTY_SHORT / n;
	cuts = prune(&s, cut, segment(&s, run, n, max, cut), n);
	settle(&s, cut, cuts, n);
	cuts = join(&s, cut, cuts, n);
	settle(&s, cut, cuts, n);
	cuts = prune(&s, cut, cuts, n);
	for (size_t i = 0; i < cuts; i++)
		describe(&s, &out[i], i != 0 ? cut[i - 1] : 0, cut[i],
		    i + 1 < cuts ? cut[i + 1] : n);
	return cuts;
}
