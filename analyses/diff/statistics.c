/* SPDX-License-Identifier: MIT */
#include "analyses/diff/statistics.h"

#include <math.h>

#include "analyses/diff/between.h"
#include "analyses/common/chance.h"

/* Fewer samples on both sides together show nothing. */
#define MIN_SAMPLES 10
/* Rows with fewer samples in a run do not show their bursts between runs. */
#define FEW_SAMPLES 50
/* The share of all that moves between two runs whatever the program does. */
#define SURROUNDINGS 0.0003
/* Most noise of a function between runs, as a multiple of that of the whole. */
#define MOST_NOISE 2.5
/* Degrees of freedom of a dispersion estimated from slices. */
#define SLICE_DEGREES 16.0

uint64_t
cp_diff_whole(double value)
{
	double nearest = round(value);

	if (!(nearest > 0))
		return 0;
	return nearest < (double)UINT64_MAX ? (uint64_t)nearest : UINT64_MAX;
}

struct side {
	double cost;       /* mean of the runs */
	double unit;       /* cost of a single independent sample */
	double dispersion; /* mean over the runs, by weight */
	double runs;
	uint64_t samples;
};

/* A sum of variances, and how well each is known (Satterthwaite). */
struct sum {
	/* square: sum of value^2 / degrees of each part */
	double value, square;
};

static void
add(struct sum *s, double value, double degrees)
{
	s->value += value;
	s->square += value * value / degrees;
}

static double
degrees_of(const struct sum *s)
{
	return s->square > 0 ? s->value * s->value / s->square : INFINITY;
}

static struct side
side_of(const struct cp_diff_runs *r, const struct cp_diff_cell *c,
    uint32_t from, uint32_t to)
{
	struct side s = { .runs = to - from };
	double sq = 0, weight = 0, empty = 0;

	for (uint32_t i = from; i < to; i++) {
		double norm = r->norm[i] * s.runs;

		s.cost += c[i].weight / norm;
		sq += c[i].weight_sq / (norm * norm);
		s.samples += c[i].samples;
		s.dispersion += fmax(1, c[i].dispersion) * c[i].weight;
		weight += c[i].weight;
		empty += r->unit / norm / s.runs;
	}
	s.dispersion = weight > 0 ? s.dispersion / weight : 0;
	s.unit = s.cost > 0 && sq > 0 ? sq / s.cost : empty;
	return s;
}

/* Returns the dispersion of both sides, and the cost if they were the same. */
static double
common_dispersion(const struct side *a, const struct side *b)
{
	double n = (double)a->samples + (double)b->samples;

	if (!(n > 0))
		return 1;
	return fmax(1, (a->dispersion * (double)a->samples +
			   b->dispersion * (double)b->samples) /
			   n);
}

static double
common_cost(const struct side *a, const struct side *b)
{
	return (a->cost / a->unit + b->cost / b->unit) /
	       (1 / a->unit + 1 / b->unit);
}

double
cp_diff_share_of(const struct cp_diff_runs *r, const struct cp_diff_cell *cells)
{
	double share = 0;

	for (uint32_t i = 0; i < r->before + r->after; i++)
		if (r->total[i] > 0)
			share = fmax(share, cells[i].weight / r->total[i]);
	return share;
}

/*
 * Returns the relative variance of a row between runs that is assumed.  A row
 * that differs by more moves everything by more, unless it is small.  If the
 * functions do not show how far they may go apart, the variance goes with the
 * reciprocal of the share: parts vary more than what they add up to.
 */
static double
assumed(const struct cp_diff_runs *r, double share)
{
	double least = r->noise * r->noise;
	double part = fmax(share, 1 / MOST_NOISE);

	if (r->most > 0)
		return fmax(least, fmin(r->most, least / (part * part)));
	return least / fmax(part * part, share);
}

double
cp_diff_noise_of(const struct cp_diff_runs *r, double share)
{
	return sqrt(fmax(r->own.value, assumed(r, share)));
}

/*
 * Adds what two runs of the same may differ by, assumed if it was not measured.
 */
static void
add_assumed(
    struct sum *s, const struct cp_diff_runs *r, const struct cp_diff_cell *c)
{
	double share = cp_diff_share_of(r, c), value = assumed(r, share);
	/* Other work on the machine moves rows that are small enough. */
	double others = share > 0 ? SURROUNDINGS / share : 0;

	/* What is new or gone did not become so by differing. */
	if (!(c[0].weight > 0 && c[1].weight > 0))
		value = r->noise * r->noise;
	if (r->own.value > value)
		add(s, 2 * r->own.value, r->own.degrees);
	else
		add(s, 2 * value, INFINITY);
	add(s, 2 * others * others, INFINITY);
}

/* Does so for everything together: differences of functions cancel in part. */
static void
add_assumed_whole(struct sum *s, const struct cp_diff_runs *r)
{
	add(s, 2 * r->noise * r->noise, INFINITY);
	add(s,
	    2 * fmax(0, r->own.value - r->noise * r->noise) * r->concentration,
	    r->own.degrees);
}

static bool
has_few(const struct cp_diff_runs *r, const struct cp_diff_cell *c)
{
	for (uint32_t i = 0; i < r->before + r->after; i++)
		if (c[i].samples < FEW_SAMPLES)
			return true;
	return false;
}

/*
 * Makes a sum at least what single samples vary by, which is known, and what
 * their bursts do, which slices show.
 */
static void
add_floor(struct sum *s, const struct cp_diff_runs *r,
    const struct cp_diff_cell *c, double part)
{
	double sides = 1.0 / r->before + 1.0 / r->after;
	double sampling = cp_diff_sampling(r, c) * sides;
	double bursts = cp_diff_by_bursts(r, c, part) * sides;

	if (s->value < sampling)
		add(s, sampling - s->value, INFINITY);
	if (s->value < bursts)
		add(s, bursts - s->value, SLICE_DEGREES);
}

/*
 * Adds what a row's runs show, moderated by what all rows show: what it varies
 * by beside the others, and what all of them do together.
 */
static void
add_measured(
    struct sum *s, const struct cp_diff_runs *r, const struct cp_diff_cell *c)
{
	struct cp_diff_variance seen = cp_diff_observed(r, c);
	double sides = 1.0 / r->before + 1.0 / r->after;
	double degrees = r->own.degrees + seen.degrees;
	double expected =
	    cp_diff_by_bursts(r, c, r->likely) + r->own.value - r->chance;

	add(s,
	    (r->own.degrees * fmax(0, expected) + seen.degrees * seen.value) /
		degrees * sides,
	    degrees);
	add(s, r->common.value * sides, r->common.degrees);
	add_floor(
	    s, r, c, has_few(r, c) ? CP_DIFF_USUAL_DISPERSION : r->bursts);
}

/* Adds what everything together varies by. */
static void
add_measured_whole(
    struct sum *s, const struct cp_diff_runs *r, const struct cp_diff_cell *c)
{
	struct cp_diff_variance seen = cp_diff_observed(r, c);

	add(s, seen.value * (1.0 / r->before + 1.0 / r->after), seen.degrees);
	add_floor(s, r, c, r->bursts);
}

/* Adds the sampling variance of both sides, at the cost given. */
static void
add_sampling(struct sum *s, const struct side *a, const struct side *b,
    double cost_a, double cost_b, double dispersion)
{
	double poisson = a->unit / cost_a + b->unit / cost_b;

	add(s, poisson, INFINITY);
	add(s, poisson * (dispersion - 1), SLICE_DEGREES);
}

/*
 * Returns the probability of costs that differ so much if they were the same
 * and varied as given: both get the effective samples that have this variance.
 */
static double
chance(const struct side *a, const struct side *b, double cost,
    const struct sum *variance)
{
	double poisson = (a->unit + b->unit) / cost;
	double inflated = variance->value / poisson;
	double na = a->cost / (a->unit * inflated);
	double nb = b->cost / (b->unit * inflated);
	double share = a->unit / (a->unit + b->unit);
	double score = cp_binomial_score(nb, na + nb, share);

	return cp_t_tail(score, degrees_of(variance));
}

/*
 * Tests what one side has and the other has not.  How much
 * runs differ does not say that something may be absent: what counts is how
 * many times it was seen, be it in bursts.
 */
static void
test_none(struct cp_diff_result *out, const struct side *a,
    const struct side *b, const struct cp_diff_runs *r,
    const struct cp_diff_cell *c)
{
	double share = a->unit / (a->unit + b->unit), seen[2] = { 0 }, p;

	for (uint32_t i = 0; i < r->before + r->after; i++) {
		double n = c[i].weight_sq > 0
			       ? c[i].weight * c[i].weight / c[i].weight_sq
			       : 0;

		seen[i >= r->before] += fmax(
		    n / fmax(1, c[i].dispersion), fmin(n, c[i].occurrences));
	}
	p = cp_t_tail(
	    cp_binomial_score(seen[1], seen[0] + seen[1], share), INFINITY);
	out->p = fmin(out->p, p);
	out->p_sampling = fmin(out->p_sampling, out->p);
	/* Of none, three may come in 19 of 20 cases. */
	if (seen[1] > 3)
		out->lo = fmax(out->lo, seen[1] / 3 - 1);
	if (seen[0] > 3)
		out->hi = fmin(out->hi, 3 / seen[0] - 1);
}

static void
interval(struct cp_diff_result *out, const struct side *a, const struct side *b,
    const struct sum *variance)
{
	double from = a->cost + a->unit / 2, to = b->cost + b->unit / 2;
	double d = log(to / from), half;

	out->degrees = degrees_of(variance);
	out->error = sqrt(variance->value);
	half = cp_t_quantile(0.05, out->degrees) * out->error;
	out->lo = exp(d - half) - 1;
	out->hi = exp(d + half) - 1;
	out->change = a->cost > 0 ? b->cost / a->cost - 1 : (double)INFINITY;
	if (a->cost <= 0 && b->cost <= 0)
		out->change = 0;
	else if (b->cost <= 0)
		out->lo = -1;
}

static void
add_runs(struct sum *s, const struct cp_diff_runs *r,
    const struct cp_diff_cell *c, bool whole)
{
	if (r->before + r->after == 2 && whole)
		add_assumed_whole(s, r);
	else if (r->before + r->after == 2)
		add_assumed(s, r, c);
	else if (whole)
		add_measured_whole(s, r, c);
	else
		add_measured(s, r, c);
	add(s, r->norm_var, INFINITY);
}

static struct cp_diff_result
test(const struct cp_diff_runs *r, const struct cp_diff_cell *cells, bool whole)
{
	uint32_t n = r->before + r->after;
	struct side a = side_of(r, cells, 0, r->before);
	struct side b = side_of(r, cells, r->before, n);
	double dispersion = common_dispersion(&a, &b);
	double cost = common_cost(&a, &b);
	double sampling = cp_diff_sampling(r, cells);
	struct sum equal = { 0 }, apart = { 0 }, pure = { 0 };
	struct cp_diff_result out = { .before = a.cost,
		.after = b.cost,
		.p = NAN,
		.p_sampling = NAN,
		.samples_before = a.samples,
		.samples_after = b.samples };

	if (n == 2) {
		add_sampling(&equal, &a, &b, cost, cost, dispersion);
		add_sampling(&apart, &a, &b, a.cost + a.unit / 2,
		    b.cost + b.unit / 2, dispersion);
	}
	pure = equal;
	add_runs(&equal, r, cells, whole);
	add_runs(&apart, r, cells, whole);
	out.sampling = sqrt(sampling * (1.0 / r->before + 1.0 / r->after));
	interval(&out, &a, &b, &apart);
	if (a.samples + b.samples < MIN_SAMPLES || !(cost > 0))
		return out;
	out.p = chance(&a, &b, cost, &equal);
	out.p_sampling = n == 2 ? chance(&a, &b, cost, &pure) : out.p;
	if (a.samples == 0 || b.samples == 0)
		test_none(&out, &a, &b, r, cells);
	return out;
}

struct cp_diff_result
cp_diff_test(const struct cp_diff_runs *r, const struct cp_diff_cell *cells)
{
	return test(r, cells, false);
}

struct cp_diff_result
cp_diff_test_whole(
    const struct cp_diff_runs *r, const struct cp_diff_cell *cells)
{
	struct cp_diff_runs all = *r;

	/*
	 * Remove no effect: what all functions do together is the question
	 * here.
	 */
	all.effect = NULL;
	return test(&all, cells, true);
}
