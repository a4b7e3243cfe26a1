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
/* Fewer sums tell no dispersion. */
#define FEWEST_SUMS 16u
/* A window has two ends to choose: more chances to be good by chance. */
#define PENALTY_WINDOW 5.5

struct part {
	uint32_t from, to;
};

#define SCALES 32

struct series {
	const double *sum; /* of the counts before */
	uint32_t n;
	/* Relative to Poisson's variance, of sums over 2^i bins. */
	double dispersion[SCALES];
	double least;
};

static double
term(double count, double length)
{
	return count > 0 ? count * log(count / length) : 0;
}

/* Returns the dispersion of sums over at least as many bins. */
static double
dispersion_of(const struct series *s, uint32_t bins)
{
	return s->dispersion[bins > 1 ? 32 - __builtin_clz(bins - 1) : 0];
}

/*
 * Returns the likelihood ratio of two rates against one: one of the `inside`
 * bins that hold `in`, one of the `outside` bins that hold `out`.
 */
static double
ratio_of(double in, uint32_t inside, double out, uint32_t outside)
{
	return 2 * (term(in, inside) + term(out, outside) -
		       term(in + out, inside + outside));
}

static double
ratio_of_cut(const struct series *s, uint32_t from, uint32_t at, uint32_t to)
{
	return ratio_of(s->sum[at] - s->sum[from], at - from,
	    s->sum[to] - s->sum[at], to - at);
}

/* The same for a window, which has one rate, and the bins around it. */
static double
ratio_of_window(const struct series *s, struct part p, struct part w)
{
	double in = s->sum[w.to] - s->sum[w.from];
	double all = s->sum[p.to] - s->sum[p.from];
	uint32_t length = w.to - w.from;

	return ratio_of(in, length, all - in, p.to - p.from - length);
}

/* Returns how much better two rates explain a part than one. */
static double
gain_of(const struct series *s, uint32_t from, uint32_t at, uint32_t to)
{
	return ratio_of_cut(s, from, at, to) /
	       dispersion_of(s, at - from < to - at ? at - from : to - at);
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
 * Returns the part that the squares of a normal variable keep of their sum
 * without the largest, which are `drop` of all.
 */
static double
kept_of_squares(double drop)
{
	double low = 0, high = 10;

	for (unsigned i = 0; i < 40; i++) {
		double z = (low + high) / 2;

		if (erf(z * M_SQRT1_2) < 1 - drop)
			low = z;
		else
			high = z;
	}
	return 1 - drop - low * M_2_SQRTPI * M_SQRT1_2 * exp(-low * low / 2);
}

/*
 * Estimates the dispersion of sums over `width` bins: the squared differences
 * of neighbouring sums, relative to Poisson's, without the largest, which may
 * be the changes looked for.  Returns 0 where there are too few.
 */
static double
dispersion_at(const struct series *s, double *square, uint32_t width)
{
	double sum = 0, all = 0;
	uint32_t m = 0, drop;

	for (uint32_t i = 0; i + 2 * width <= s->n; i += width) {
		double a = s->sum[i + width] - s->sum[i];
		double b = s->sum[i + 2 * width] - s->sum[i + width];

		square[m++] = (a - b) * (a - b);
		all += a + b;
	}
	if (m + 1 < FEWEST_SUMS || all <= 0)
		return 0;
	qsort(square, m, sizeof(*square), compare_doubles);
	drop = m / 100 > 4 ? m / 100 : 4;
	for (uint32_t i = 0; i < m - drop; i++)
		sum += square[i];
	return sum / kept_of_squares((double)drop / m) / all;
}

/*
 * A rate that wanders or comes in bursts disperses sums over many bins more
 * than sums over few; each scale has at least the dispersion of those below.
 * Where there are too few sums to tell, it grows on as it did.
 */
static void
find_dispersion(struct series *s, struct cp_run *run)
{
	double *square = cp_run_alloc(run, (s->n + 1) * sizeof(*square));
	double *d = s->dispersion, growth = 1;

	d[0] = fmax(1, dispersion_at(s, square, 1));
	for (unsigned i = 1; i < SCALES; i++) {
		if (s->n >> i >= FEWEST_SUMS) {
			d[i] = fmax(d[i - 1],
			    dispersion_at(s, square, UINT32_C(1) << i));
			growth = sqrt(d[i] / d[i > 1 ? i - 2 : 0]);
		} else
			d[i] = fmin(d[i - 1] * growth, 1e9);
	}
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

/*
 * Moves each cut to the likeliest place between its neighbours, whatever the
 * dispersion, which depends on the place.
 */
static void
settle(const struct series *s, uint32_t *cut, size_t n, uint32_t end)
{
	for (size_t i = 0; i < n; i++) {
		uint32_t from = i != 0 ? cut[i - 1] : 0;
		uint32_t to = i + 1 < n ? cut[i + 1] : end;
		double most = 0;

		for (uint32_t at = from + SHORTEST; at + SHORTEST <= to; at++) {
			double ratio = ratio_of_cut(s, from, at, to);

			if (ratio > most) {
				most = ratio;
				cut[i] = at;
			}
		}
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
	error =
	    sqrt(dispersion_of(s, at - from < to - at ? at - from : to - at) *
		 (1 / (left + 0.5) + 1 / (right + 0.5)));
	c->lo = right > 0 ? exp(d - 1.96 * error) - 1 : -1;
	c->hi = exp(d + 1.96 * error) - 1;
}

static int
compare_cuts(const void *pa, const void *pb)
{
	uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;

	return (a > b) - (a < b);
}

/* Moves one end of a window after the other to the likeliest place near it. */
static struct part
fit_window(const struct series *s, struct part p, struct part w)
{
	uint32_t near = (w.to - w.from) / 4 + 1;
	struct part at = w, best = w;
	double most = ratio_of_window(s, p, w);

	for (unsigned end = 0; end < 4; end++) {
		uint32_t *moved = end % 2 == 0 ? &at.from : &at.to;
		uint32_t low = *moved > p.from + near ? *moved - near : p.from;
		uint32_t high = *moved + near < p.to ? *moved + near : p.to;

		for (*moved = low; *moved <= high; ++*moved) {
			double ratio;

			if (at.to < at.from + SHORTEST ||
			    p.to - p.from < at.to - at.from + SHORTEST)
				continue;
			ratio = ratio_of_window(s, p, at);
			if (ratio > most) {
				most = ratio;
				best = at;
			}
		}
		at = best;
	}
	return best;
}

/*
 * Finds the window in the part whose rate differs most from that around it, by
 * chi-square, which is quick.  One cut sees neither end of a short window in a
 * long part.  The lengths tried grow by a fifth: the cost is n log n.  Returns
 * its gain, 0 if it is not good enough.
 */
static double
best_window(const struct series *s, struct part p, struct part *out)
{
	double length = p.to - p.from;
	double rate = (s->sum[p.to] - s->sum[p.from]) / length;
	double most = 0, gain;

	if (rate <= 0)
		return 0;
	for (uint32_t m = SHORTEST; m <= length / 2; m += m / 5 + 1) {
		double scale =
		    1 / (rate * m * (1 - m / length) * dispersion_of(s, m));

		for (uint32_t i = p.from; i + m <= p.to; i++) {
			double off = s->sum[i + m] - s->sum[i] - rate * m;

			if (off * off * scale > most) {
				most = off * off * scale;
				*out = (struct part){ i, i + m };
			}
		}
	}
	if (most == 0)
		return 0;
	*out = fit_window(s, p, *out);
	gain =
	    ratio_of_window(s, p, *out) / dispersion_of(s, out->to - out->from);
	return gain > s->least / PENALTY * PENALTY_WINDOW ? gain : 0;
}

/* Finds all cuts, of the whole and then of its parts, in no order. */
static size_t
segment(const struct series *s, struct cp_run *run, size_t max, uint32_t *cut)
{
	struct part *todo = cp_run_alloc(run, (2 * max + 3) * sizeof(*todo));
	size_t waiting = 1, cuts = 0;

	todo[0] = (struct part){ 0, s->n };
	while (waiting != 0 && cuts + 2 <= max) {
		struct part p = todo[--waiting], w;
		uint32_t at = best_cut(s, p);
		double window = best_window(s, p, &w);

		if (window != 0 &&
		    (at == 0 || window > gain_of(s, p.from, at, p.to))) {
			if (w.from > p.from) {
				cut[cuts++] = w.from;
				todo[waiting++] =
				    (struct part){ p.from, w.from };
			}
			if (w.to < p.to) {
				cut[cuts++] = w.to;
				todo[waiting++] = (struct part){ w.to, p.to };
			}
			todo[waiting++] = w;
		} else if (at != 0) {
			cut[cuts++] = at;
			todo[waiting++] = (struct part){ p.from, at };
			todo[waiting++] = (struct part){ at, p.to };
		}
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
	struct series s = { .sum = sum, .n = n };
	size_t cuts;

	for (uint32_t i = 0; i < n; i++)
		sum[i + 1] = sum[i] + count[i];
	if (!cp_changepoints_tell(count, n))
		return 0;
	find_dispersion(&s, run);
	/* Windows that have the same counts in them are one. */
	s.least = PENALTY * log(fmin(n, sum[n])) + PENALTY_SHORT / n;
	cuts = prune(&s, cut, segment(&s, run, max, cut), n);
	settle(&s, cut, cuts, n);
	cuts = join(&s, cut, cuts, n);
	settle(&s, cut, cuts, n);
	cuts = prune(&s, cut, cuts, n);
	for (size_t i = 0; i < cuts; i++)
		describe(&s, &out[i], i != 0 ? cut[i - 1] : 0, cut[i],
		    i + 1 < cuts ? cut[i + 1] : n);
	return cuts;
}
