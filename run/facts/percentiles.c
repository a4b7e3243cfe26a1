/* SPDX-License-Identifier: MIT */
#include <coldperf/plugin.h>

#include <stdlib.h>
#include <string.h>

#define FIRST 8u
/* Values that a percentile needs above it, or the largest are all it tells. */
#define ABOVE 10
/*
 * A bucket is given by the highest bits of a value and their number of
 * following bits.
 */
#define BITS 11u
#define BUCKETS (1u << BITS)
#define OCTAVES (64 - BITS)

static uint64_t *
bucket_of(struct cp_run *run, struct cp_quantiles *q, uint64_t value)
{
	unsigned octave = 0;

	if (value >= 2 * BUCKETS)
		octave = 63 - (unsigned)__builtin_clzll(value) - BITS;
	if (q->octaves[octave] == NULL)
		q->octaves[octave] =
		    cp_run_alloc(run, 2 * BUCKETS * sizeof(uint64_t));
	return &q->octaves[octave][value >> octave];
}

static void
to_buckets(struct cp_run *run, struct cp_quantiles *q)
{
	q->octaves = cp_run_alloc(run, (OCTAVES + 1) * sizeof(*q->octaves));
	for (uint64_t i = 0; i < q->n; i++)
		++*bucket_of(run, q, q->values[i]);
	q->values = NULL;
}

static void
more_values(struct cp_run *run, struct cp_quantiles *q)
{
	uint32_t cap = q->cap != 0 ? q->cap * 2 : FIRST;
	uint64_t *values = cp_run_alloc(run, cap * sizeof(*values));

	if (q->cap != 0)
		memcpy(values, q->values, q->cap * sizeof(*values));
	q->values = values;
	q->cap = cap;
}

static void
keep(struct cp_run *run, struct cp_quantiles *q, uint64_t value)
{
	if (q->n == CP_QUANTILES_EXACT)
		to_buckets(run, q);
	if (q->octaves != NULL) {
		++*bucket_of(run, q, value);
		return;
	}
	if (q->n == q->cap)
		more_values(run, q);
	q->values[q->n] = value;
	q->sorted = false;
}

void
cp_quantiles_add(
    struct cp_run *run, struct cp_quantiles *q, uint64_t value, uint64_t time)
{
	keep(run, q, value);
	if (q->n == 0 || value > q->max) {
		q->max = value;
		q->max_at = time;
	}
	if (q->n == 0 || value < q->min)
		q->min = value;
	q->n++;
	q->sum += value;
}

static void
add_buckets(struct cp_run *run, struct cp_quantiles *to,
    const struct cp_quantiles *from)
{
	if (to->octaves == NULL)
		to_buckets(run, to);
	for (unsigned o = 0; o <= OCTAVES; o++)
		for (uint64_t i = 0;
		     from->octaves[o] != NULL && i < 2 * BUCKETS; i++)
			if (from->octaves[o][i] != 0)
				*bucket_of(run, to, i << o) +=
				    from->octaves[o][i];
}

void
cp_quantiles_merge(struct cp_run *run, struct cp_quantiles *to,
    const struct cp_quantiles *from)
{
	if (from->n == 0)
		return;
	if (to->n == 0 || from->max > to->max) {
		to->max = from->max;
		to->max_at = from->max_at;
	}
	if (to->n == 0 || from->min < to->min)
		to->min = from->min;
	to->sum += from->sum;
	if (from->octaves != NULL) {
		add_buckets(run, to, from);
		to->n += from->n;
		return;
	}
	for (uint64_t i = 0; i < from->n; i++, to->n++)
		keep(run, to, from->values[i]);
}

static int
compare(const void *va, const void *vb)
{
	const uint64_t *a = va, *b = vb;

	return (*a > *b) - (*a < *b);
}

static uint64_t
of_buckets(const struct cp_quantiles *q, uint64_t rank)
{
	for (unsigned o = 0; o <= OCTAVES; o++)
		for (uint64_t i = 0; q->octaves[o] != NULL && i < 2 * BUCKETS;
		     i++) {
			if (q->octaves[o][i] > rank)
				return i << o > q->min ? i << o : q->min;
			rank -= q->octaves[o][i];
		}
	return q->max;
}

uint64_t
cp_quantiles_at(struct cp_quantiles *q, double share)
{
	double at = share * (double)q->n;
	uint64_t rank = at > 0 ? (uint64_t)at : 0;

	if (q->n == 0)
		return 0;
	/* Rounds up, and counts from 0. */
	if ((double)rank == at && rank != 0)
		rank--;
	if (rank >= q->n - 1)
		return q->max;
	if (q->octaves != NULL)
		return of_buckets(q, rank);
	if (!q->sorted)
		qsort(q->values, q->n, sizeof(*q->values), compare);
	q->sorted = true;
	return q->values[rank];
}

uint64_t
cp_quantiles_mean(const struct cp_quantiles *q)
{
	return q->n != 0 ? q->sum / q->n : 0;
}

bool
cp_quantiles_tell(const struct cp_quantiles *q, double share)
{
	return q->n != 0 &&
	       (share <= 0.5 || (double)q->n * (1 - share) >= ABOVE - 1e-6);
}

struct cp_cell
cp_quantiles_cell(struct cp_quantiles *q, double share)
{
	return cp_cell_u64(cp_quantiles_tell(q, share)
			       ? cp_quantiles_at(q, share)
			       : CP_NO_TIME);
}

void
cp_quantiles_note(struct cp_report *rep, uint64_t n)
{
	if (n > CP_QUANTILES_EXACT)
		cp_report_note(rep,
		    "percentiles of rows with more than 32,768 values are of "
		    "buckets: up to 0.05 %% too small");
}
