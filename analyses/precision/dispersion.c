/* SPDX-License-Identifier: MIT */
#include "analyses/precision/dispersion.h"

#include <math.h>
#include <stdlib.h>

/* Ticks closer than this part of a period are simultaneous. */
#define SAME_MOMENT 100
/* Differences between parts of the run are measured on at least this many. */
#define LEAST_BLOCKS 16
#define SHORTEST_BLOCK 16
/* A row with fewer phases may follow the program's fixed course. */
#define LEAST_PHASES 8
/* The common value of all rows counts for this many phases. */
#define COMMON_PHASES 4
/* With fewer changes from row to row there is no common value. */
#define LEAST_CHANGES 32

/* ----------------------------------------------------------------- series */

struct lanes {
	uint32_t *slot; /* sample + 1, the last of a lane; 0: empty */
	uint32_t mask;
};

static uint32_t *
lane_slot(const struct lanes *l, const struct cp_tick *ticks, uint32_t lane)
{
	uint32_t i = (uint32_t)(lane * UINT64_C(0x9e3779b97f4a7c15) >> 32);

	for (i &= l->mask; l->slot[i] != 0; i = (i + 1) & l->mask)
		if (ticks[l->slot[i] - 1].lane == lane)
			break;
	return &l->slot[i];
}

static void
find_before(struct cp_series *s, const struct cp_tick *ticks)
{
	struct lanes l = { .mask = 63 };
	uint32_t known = 0;

	while (l.mask / 2 < s->n)
		l.mask = 2 * l.mask + 1;
	l.slot = s->alloc(s->ctx, (l.mask + 1) * sizeof(*l.slot));
	for (uint32_t i = 0; i < s->n; i++) {
		uint32_t *slot = lane_slot(&l, ticks, ticks[i].lane);

		if (ticks[i].alone)
			known = i;
		s->before[i] = *slot > known ? *slot - 1 : CP_NO_ID;
		s->pairs += s->before[i] != CP_NO_ID;
		*slot = i + 1;
	}
}

static int
compare_gaps(const void *va, const void *vb)
{
	uint64_t a = *(const uint64_t *)va, b = *(const uint64_t *)vb;

	return (a > b) - (a < b);
}

/* The median time between ticks of a lane; 0: not known. */
static uint64_t
period_of(struct cp_series *s, const struct cp_tick *ticks)
{
	uint64_t *gap = s->alloc(s->ctx, (s->n + 1) * sizeof(*gap));
	uint64_t period;
	uint32_t n = 0, near = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		uint32_t b = s->before[i];

		if (b == CP_NO_ID || ticks[i].time == CP_NO_TIME ||
		    ticks[b].time > ticks[i].time)
			continue;
		gap[n++] = ticks[i].time - ticks[b].time;
	}
	if (n == 0)
		return 0;
	qsort(gap, n, sizeof(*gap), compare_gaps);
	period = gap[n / 2];
	for (uint32_t i = 0; i < n; i++)
		near += gap[i] >= period / 2 && gap[i] <= period + period / 2;
	s->regular = period != 0 && near >= n - n / 4;
	return period;
}

/* A round ends when a lane ticks again. */
static void
find_rounds(struct cp_series *s, const struct cp_tick *ticks)
{
	uint32_t start = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		uint32_t b = s->before[i];

		s->rounds[i] =
		    i == 0 || ticks[i].alone || (b != CP_NO_ID && b >= start);
		if (s->rounds[i])
			start = i;
	}
}

static void
find_moments(struct cp_series *s, const struct cp_tick *ticks, uint64_t period)
{
	uint32_t start = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		bool together =
		    i != 0 && !ticks[i].alone && period != 0 &&
		    ticks[i].time != CP_NO_TIME &&
		    ticks[i].time >= ticks[i - 1].time &&
		    ticks[i].time - ticks[i - 1].time <= period / SAME_MOMENT;

		/*
		 * A lane ticks once in a moment, so a second tick begins
		 * another.
		 */
		if (together && s->before[i] != CP_NO_ID &&
		    s->before[i] >= start)
			together = false;
		if (!together)
			start = i;
		s->begins[i] = !together;
	}
}

void
cp_series_init(struct cp_series *s, void *(*alloc)(void *ctx, size_t),
    void *ctx, const struct cp_tick *ticks, uint32_t n)
{
	*s = (struct cp_series){ .alloc = alloc, .ctx = ctx, .n = n };
	s->before = s->alloc(ctx, (n + 1) * sizeof(*s->before));
	s->begins = s->alloc(ctx, (n + 1) * sizeof(*s->begins));
	find_before(s, ticks);
	s->rounds = s->alloc(ctx, (n + 1) * sizeof(*s->rounds));
	s->block = s->alloc(ctx, (n / SHORTEST_BLOCK + 1) * sizeof(*s->block));
	find_rounds(s, ticks);
	find_moments(s, ticks, period_of(s, ticks));
}

void
cp_series_common(struct cp_series *s, const uint32_t *label, uint32_t labels)
{
	uint32_t *count = s->alloc(s->ctx, (labels + 1) * sizeof(*count));
	double by_chance = 0, same = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		uint32_t b = s->before[i];

		count[label[i]]++;
		same += b != CP_NO_ID && label[b] == label[i];
	}
	for (uint32_t l = 0; l < labels; l++)
		by_chance += (double)count[l] / s->n * count[l] / s->n;
	if (s->pairs - same >= LEAST_CHANGES && by_chance < 1)
		s->stay = (same / s->pairs - by_chance) / (1 - by_chance);
}

/* ------------------------------------------------------------- dispersion */

struct row {
	const struct cp_series *s;
	const bool *has;
	double p, variance; /* of one sample */
	/* variance of moments, relative to independent samples */
	double moments;
	double rounds; /* the same of rounds */
	/*
	 * correlation in a lane with the one before, with the one before that
	 */
	double r, r2;
	/* number of times that a lane entered or left the row */
	uint32_t phases;
};

/* Returns the variance of groups of samples, relative to independent ones. */
static double
grouped(const struct row *w, const bool *begins)
{
	double sum = 0, moment = 0;

	for (uint32_t i = 0; i < w->s->n; i++) {
		if (begins[i]) {
			sum += moment * moment;
			moment = 0;
		}
		moment += w->has[i] - w->p;
	}
	sum += moment * moment;
	return sum / (w->s->n * w->variance);
}

static void
neighbours(struct row *w)
{
	double sum = 0, sum2 = 0;
	uint32_t changes = 0;

	for (uint32_t i = 0; i < w->s->n; i++) {
		uint32_t b = w->s->before[i];
		uint32_t b2 = b != CP_NO_ID ? w->s->before[b] : CP_NO_ID;

		if (b != CP_NO_ID)
			sum += (w->has[i] - w->p) * (w->has[b] - w->p);
		if (b2 != CP_NO_ID)
			sum2 += (w->has[i] - w->p) * (w->has[b2] - w->p);
		changes += b != CP_NO_ID && w->has[i] != w->has[b];
	}
	w->phases = changes / 2;
	if (w->s->pairs == 0)
		return;
	w->r = sum / (w->s->pairs * w->variance);
	w->r2 = sum2 / (w->s->pairs * w->variance);
}

/* Counts the row's samples in each block of SHORTEST_BLOCK. */
static uint32_t
count_blocks(const struct row *w)
{
	uint32_t blocks = w->s->n / SHORTEST_BLOCK;

	for (uint32_t b = 0; b < blocks; b++) {
		uint32_t count = 0;

		for (uint32_t i = 0; i < SHORTEST_BLOCK; i++)
			count += w->has[b * SHORTEST_BLOCK + i];
		w->s->block[b] = count;
	}
	return blocks;
}

/*
 * Returns the mean square of the differences of neighbouring blocks (von
 * Neumann 1941).  A slow drift does not count: it comes from parts of a program
 * that follow one another in every run.
 */
static double
differences(const struct row *w, uint32_t blocks, uint32_t length)
{
	double sum = 0;

	for (uint32_t b = 1; b < blocks; b++) {
		double d = (double)w->s->block[b] - w->s->block[b - 1];

		sum += d * d;
	}
	return sum / (2.0 * (blocks - 1) * length * w->variance);
}

/*
 * Returns the largest value over all lengths, each less half its standard
 * error.
 */
static double
bursts(const struct row *w)
{
	uint32_t blocks = count_blocks(w), *block = w->s->block;
	double most = 0;

	for (uint32_t l = SHORTEST_BLOCK; blocks >= LEAST_BLOCKS; l *= 2) {
		double error = sqrt(3.0 / blocks);

		most = fmax(most, differences(w, blocks, l) * (1 - error / 2));
		blocks /= 2;
		for (uint32_t b = 0; b < blocks; b++)
			block[b] = block[2 * b] + block[2 * b + 1];
	}
	return most;
}

/*
 * A regular tick measures phases of random length with less than chance: for
 * correlation exp(-x) from tick to tick the variance is coth(x/2) - 2/x of
 * that of independent samples.
 */
static double
regular(double r)
{
	double x = -log(r);

	return x < 1e-3 ? x / 6 : 1 / tanh(x / 2) - 2 / x;
}

/*
 * The part that changes from tick to tick within phases is like independent
 * samples: the correlation falls by that part at once, and then decays as that
 * of phases.
 */
static double
ticks(const struct row *w, double r)
{
	double slow = 1;

	if (w->r2 > w->r * w->r)
		slow = w->r * w->r / w->r2;
	return 1 - slow + slow * regular(fmin(r / slow, 1 - 1e-9));
}

static double
of_run(const struct row *w)
{
	double pairs = w->s->pairs / fmax(1, w->rounds) + 1;
	double r = w->r - 2 * (1 - w->r) / sqrt(pairs), d = w->moments;

	if (w->s->regular && r > 0)
		d *= ticks(w, fmin(r, 1 - 1e-9));
	/* The run begins and ends anywhere between two ticks. */
	return fmax(d, 1 / (12 * w->s->n * w->variance));
}

/*
 * Returns the value for phases of random length: the sum of the correlations at
 * all distances.  A row with few phases takes the common correlation.
 */
static double
phases(const struct row *w)
{
	double r = w->s->stay;

	if (w->phases >= LEAST_PHASES)
		r = (w->phases * w->r + COMMON_PHASES * r) /
		    (w->phases + COMMON_PHASES);
	return r > 0 && r < 1 ? (1 + r) / (1 - r) : 1;
}

static double
of_program(const struct row *w)
{
	double d = fmax(1, fmax(w->moments, w->rounds)) * phases(w);

	return fmin(fmax(d, bursts(w)), w->s->n);
}

struct cp_dispersion
cp_series_dispersion(const struct cp_series *s, const bool *has)
{
	struct row w = { .s = s, .has = has };
	uint32_t count = 0;

	for (uint32_t i = 0; i < s->n; i++)
		count += has[i];
	if (count == 0 || count == s->n)
		return (struct cp_dispersion){ 1, 1 };
	w.p = (double)count / s->n;
	w.variance = w.p * (1 - w.p);
	w.moments = grouped(&w, s->begins);
	w.rounds = grouped(&w, s->rounds);
	neighbours(&w);
	return (struct cp_dispersion){ of_run(&w), of_program(&w) };
}
