/* SPDX-License-Identifier: MIT */
/*
 * callers: a function that one side inlined in several callers.
 *
 * The cost of each of its calls then counts as the cost of the caller, on both
 * sides.  The function was inlined if it and its callers together changed far
 * less than each of them alone.
 */
#include <math.h>
#include <string.h>

#include "analyses/diff/diff.h"

/* Callers with a smaller part of the cost are not compared. */
#define LEAST_PART 0.02
/* The callers compared must have this part of the cost. */
#define NEARLY_ALL 0.9
/* Callers with their inlined part changed by less, as a logarithm. */
#define STAYED 0.3

struct callers {
	uint32_t symbol, caller[CP_DIFF_CALLERS];
	uint32_t n;
	bool after; /* the side that has the function */
	double all; /* the function's cost */
	double *by; /* the part of each caller */
};

static uint32_t
same_of(const struct cp_diff *d, const struct cp_diff_profile *p, uint32_t node)
{
	return d->profiles.symbol[p->symbol[node]].same;
}

/* Returns the function that calls a node's, other than itself; or CP_NO_ID. */
static uint32_t
caller_of(
    const struct cp_diff *d, const struct cp_diff_profile *p, uint32_t node)
{
	uint32_t symbol = same_of(d, p, node), up = p->parent[node];

	while (up != 0 && same_of(d, p, up) == symbol)
		up = p->parent[up];
	return up != 0 ? same_of(d, p, up) : CP_NO_ID;
}

static bool
same_object(const struct cp_diff *d, uint32_t a, uint32_t b)
{
	const struct cp_diff_symbol *symbol = d->profiles.symbol;

	return strcmp(symbol[a].object, symbol[b].object) == 0;
}

/* Adds up the function's cost by caller, of the side that has it. */
static void
add_up(const struct cp_diff *d, struct callers *s)
{
	uint32_t to = s->after ? d->n_runs : d->runs.before;
	uint32_t from = s->after ? d->runs.before : 0;

	for (uint32_t r = from; r < to; r++) {
		const struct cp_diff_profile *p = &d->profiles.all[r];
		double norm = d->runs.norm[r] * (to - from);

		for (uint32_t i = 1; i < p->n; i++) {
			uint32_t caller;

			if (same_of(d, p, i) != s->symbol || !(p->self[i] > 0))
				continue;
			s->all += p->self[i] / norm;
			caller = caller_of(d, p, i);
			if (caller != CP_NO_ID &&
			    same_object(d, caller, s->symbol))
				s->by[caller] += p->self[i] / norm;
		}
	}
}

/* Chooses the callers; returns whether they have nearly all of it. */
static bool
choose(const struct cp_diff *d, struct callers *s)
{
	double sum = 0;

	for (uint32_t c = 0; c < d->n_rows; c++) {
		if (!(s->by[c] > LEAST_PART * s->all))
			continue;
		if (s->n == CP_DIFF_CALLERS)
			return false;
		s->caller[s->n++] = c;
		sum += s->by[c];
	}
	return s->n > 1 && sum >= NEARLY_ALL * s->all;
}

void
cp_diff_add_cost(const struct cp_diff *d, uint32_t row, double *side)
{
	for (uint32_t r = 0; r < d->n_runs; r++) {
		bool after = r >= d->runs.before;

		side[after] += d->cell[(size_t)row * d->n_runs + r].weight /
			       d->runs.norm[r] /
			       (after ? d->runs.after : d->runs.before);
	}
}

double
cp_diff_log_change(const struct cp_diff *d, const double *side)
{
	double least = d->runs.unit / 2;

	return log((side[1] + least) / (side[0] + least));
}

/* True if the callers, with their inlined parts, did not change. */
static bool
belongs(const struct cp_diff *d, const struct callers *s)
{
	double sum[2] = { 0, 0 }, alone;

	for (uint32_t i = 0; i < s->n; i++) {
		double own[2] = { 0, 0 };

		cp_diff_add_cost(d, s->caller[i], own);
		sum[0] += own[0];
		sum[1] += own[1];
		own[s->after] += s->by[s->caller[i]];
		if (fabs(cp_diff_log_change(d, own)) > STAYED)
			return false;
	}
	alone = fabs(cp_diff_log_change(d, sum));
	cp_diff_add_cost(d, s->symbol, sum);
	return fabs(cp_diff_log_change(d, sum)) < alone / 3;
}

static void
move(struct cp_diff_cell *from, struct cp_diff_cell *to,
    const struct cp_diff_profile *p, uint32_t node)
{
	uint64_t n =
	    p->count[node] < from->samples ? p->count[node] : from->samples;

	to->weight += p->self[node];
	to->weight_sq += p->self_sq[node];
	to->samples += n;
	to->dispersion = fmax(to->dispersion, from->dispersion);
	to->occurrences = fmax(to->occurrences, from->occurrences);
	from->weight = fmax(0, from->weight - p->self[node]);
	from->weight_sq = fmax(0, from->weight_sq - p->self_sq[node]);
	from->samples -= n;
}

/* Counts each call as its caller; a call without a caller stays. */
static void
count_as_callers(struct cp_diff *d, const struct callers *s)
{
	for (uint32_t r = 0; r < d->n_runs; r++) {
		const struct cp_diff_profile *p = &d->profiles.all[r];

		for (uint32_t i = 1; i < p->n; i++) {
			uint32_t caller;

			if (same_of(d, p, i) != s->symbol)
				continue;
			caller = caller_of(d, p, i);
			if (caller == CP_NO_ID)
				continue;
			move(&d->cell[(size_t)s->symbol * d->n_runs + r],
			    &d->cell[(size_t)caller * d->n_runs + r], p, i);
			d->weight[caller] += p->self[i];
			d->weight[s->symbol] -= p->self[i];
		}
	}
	d->profiles.symbol[s->symbol].into_callers = true;
}

void
cp_diff_into_callers(struct cp_diff *d, uint32_t symbol, bool after, double *by)
{
	struct callers s = { .symbol = symbol, .after = after, .by = by };

	memset(by, 0, d->n_rows * sizeof(*by));
	add_up(d, &s);
	if (!choose(d, &s) || !belongs(d, &s))
		return;
	count_as_callers(d, &s);
	for (uint32_t i = 0; i < s.n; i++)
		d->pair[d->pairs++] =
		    (struct cp_diff_pair){ symbol, s.caller[i], "inlined" };
}
