/* SPDX-License-Identifier: MIT */
/*
 * pairing: pairs a function that only one side has with its counterpart.
 *
 * It is a copy of one whose name has the same stem.  It was inlined if it and
 * its caller together changed far less than each alone.  Another instance of a
 * template took its place if both together cost the same.  A function that has
 * another name is gone, and that of the other name is new.
 */
#include <math.h>
#include <string.h>

#include "analyses/diff/diff.h"

/* The number of such functions that are examined. */
#define MAX_LONELY 1000u
/* Fewer samples do not show that a side lacks a function. */
#define LONELY_SAMPLES 10

/* A function that one side has and the other has hardly or not at all. */
struct lonely {
	/* caller: CP_NO_ID if it has several or none */
	uint32_t symbol, caller;
	bool after; /* the side that has it */
};

bool
cp_diff_in_interrupts(const struct cp_diff *d, uint32_t symbol)
{
	return d->interrupt[symbol] > d->weight[symbol] / 2;
}

/* Returns log(after / before) of the sum of two symbols. */
static double
log_change(const struct cp_diff *d, uint32_t a, uint32_t b)
{
	double side[2] = { 0 };

	cp_diff_add_cost(d, a, side);
	if (b != a)
		cp_diff_add_cost(d, b, side);
	return cp_diff_log_change(d, side);
}

/* Returns the samples of a symbol on a side. */
static uint64_t
samples_of(const struct cp_diff *d, uint32_t symbol, bool after)
{
	uint64_t n = 0;

	for (uint32_t r = after ? d->runs.before : 0;
	     r < (after ? d->n_runs : d->runs.before); r++)
		n += d->cell[(size_t)symbol * d->n_runs + r].samples;
	return n;
}

static void
absorb(struct cp_diff *d, uint32_t symbol, uint32_t to, const char *why)
{
	for (uint32_t r = 0; r < d->n_runs; r++) {
		struct cp_diff_cell *in = &d->cell[(size_t)to * d->n_runs + r];
		struct cp_diff_cell *c =
		    &d->cell[(size_t)symbol * d->n_runs + r];

		in->weight += c->weight;
		in->weight_sq += c->weight_sq;
		in->samples += c->samples;
		in->dispersion = fmax(in->dispersion, c->dispersion);
		in->occurrences = fmax(in->occurrences, c->occurrences);
		*c = (struct cp_diff_cell){ 0 };
	}
	d->weight[to] += d->weight[symbol];
	d->interrupt[to] += d->interrupt[symbol];
	d->profiles.symbol[symbol].same = to;
	d->profiles.symbol[symbol].inlined = true;
	d->pair[d->pairs++] = (struct cp_diff_pair){ symbol, to, why };
}

static bool
is_lonely(const struct cp_diff *d, uint32_t symbol, bool *after)
{
	uint64_t a = samples_of(d, symbol, false);
	uint64_t b = samples_of(d, symbol, true);

	*after = b > a;
	return a + b >= LONELY_SAMPLES &&
	       (*after ? a < b / 50 + 1 : b < a / 50 + 1) &&
	       d->profiles.symbol[symbol].kind != CP_KIND_UNKNOWN &&
	       !cp_diff_in_interrupts(d, symbol);
}

static size_t
find_lonely(struct cp_diff *d, struct lonely *out, double *scratch)
{
	size_t n = 0;

	for (uint32_t s = 0; s < d->n_rows && n < MAX_LONELY; s++) {
		bool after;

		if (!is_lonely(d, s, &after))
			continue;
		out[n++] = (struct lonely){ .symbol = s,
			.after = after,
			.caller = cp_diff_caller(&d->profiles, s,
			    after ? d->runs.before : 0,
			    after ? d->n_runs : d->runs.before, scratch) };
	}
	return n;
}

/* Returns log(after / before) of everything together. */
static double
log_change_of_all(const struct cp_diff *d)
{
	double side[2] = { 0 };

	for (uint32_t r = 0; r < d->n_runs; r++)
		side[r >= d->runs.before] +=
		    d->runs.total[r] / d->runs.norm[r] /
		    (r < d->runs.before ? d->runs.before : d->runs.after);
	return cp_diff_log_change(d, side);
}

/*
 * True if two functions together changed far less than each alone, or as
 * everything did: a compiler that optimizes more inlines more.
 */
static bool
belong(const struct cp_diff *d, uint32_t a, uint32_t b)
{
	double change = log_change(d, a, b);
	double both = fmin(fabs(change), fabs(change - log_change_of_all(d)));

	return both < 0.3 && both < fabs(log_change(d, a, a)) / 3 &&
	       both < fabs(log_change(d, b, b)) / 3;
}

/* ------------------------------------------------------------------ copies */

/* True if only one side has samples of it. */
static bool
is_one_sided(const struct cp_diff *d, uint32_t symbol)
{
	uint64_t a = samples_of(d, symbol, false);
	uint64_t b = samples_of(d, symbol, true);

	return a + b >= LONELY_SAMPLES && (a == 0 || b == 0);
}

/* Returns which sides have samples in an object, by number of text. */
static uint8_t *
sides_of_objects(const struct cp_diff *d)
{
	uint8_t *sides = cp_run_alloc(d->run, d->profiles.texts.n + 1);

	for (uint32_t s = 0; s < d->n_rows; s++)
		for (unsigned k = 0; k < 2; k++)
			if (samples_of(d, s, k) != 0)
				sides[d->profiles.keys.all[s].b] |=
				    (uint8_t)(1 << k);
	return sides;
}

/*
 * Functions of one stem count as one if a side lacks one of them: numbers of
 * closures move.  Names come first, so what both sides have stays.  A program
 * may have another name after it was built again.
 */
static void
pair_copies(struct cp_diff *d)
{
	struct cp_diff_profiles *p = &d->profiles;
	const uint8_t *sides = sides_of_objects(d);
	uint32_t *group =
	    cp_run_alloc(d->run, (d->n_rows + 1) * sizeof(*group));
	uint32_t *to;
	bool *pairs;
	struct cp_index stems;

	cp_index_init(&stems, d->run);
	for (uint32_t s = 0; s < d->n_rows; s++) {
		uint64_t in = p->keys.all[s].b;
		char stem[4096];

		cp_diff_stem(p->symbol[s].name, stem, sizeof(stem));
		group[s] = cp_index_put(&stems, cp_diff_text(p, stem),
		    sides[in] == 3 ||
			    (in < p->n_stranger && p->stranger[in] != 0)
			? in
			: UINT64_MAX);
	}
	to = cp_run_alloc(d->run, (stems.n + 1) * sizeof(*to));
	pairs = cp_run_alloc(d->run, stems.n + 1);
	for (uint32_t s = 0; s < d->n_rows; s++) {
		uint32_t *best = &to[group[s]];

		if (p->symbol[s].same != s ||
		    p->symbol[s].kind == CP_KIND_UNKNOWN || !(d->weight[s] > 0))
			continue;
		pairs[group[s]] |= is_one_sided(d, s);
		/* The shortest name is the function's, if one is. */
		if (*best == 0 || strlen(p->symbol[s].name) <
				      strlen(p->symbol[*best - 1].name))
			*best = s + 1;
	}
	for (uint32_t s = 0; s < d->n_rows; s++) {
		uint32_t target = to[group[s]];

		if (target != 0 && target != s + 1 && pairs[group[s]] &&
		    p->symbol[s].same == s && d->weight[s] > 0 &&
		    p->symbol[s].kind != CP_KIND_UNKNOWN)
			absorb(d, s, target - 1, "a copy of it");
	}
}

/* ------------------------------------------------------------ counterparts */

/* True if a function that is gone may be that new one. */
static bool
are_twins(const struct cp_diff *d, const struct lonely *gone,
    const struct lonely *new)
{
	const struct cp_diff_symbol *a = &d->profiles.symbol[gone->symbol];
	const struct cp_diff_symbol *b = &d->profiles.symbol[new->symbol];

	return a->kind == b->kind && !b->inlined &&
	       strcmp(a->object, b->object) == 0 &&
	       cp_diff_same_template(a->name, b->name);
}

/*
 * Returns its caller if it was inlined there, or the new function that replaces
 * it, or CP_NO_ID.
 */
static uint32_t
counterpart(const struct cp_diff *d, const struct lonely *l,
    const struct lonely *all, size_t n, const char **why)
{
	const struct cp_diff_symbol *symbol = d->profiles.symbol;

	*why = "inlined";
	if (l->caller != CP_NO_ID &&
	    strcmp(symbol[l->caller].object, symbol[l->symbol].object) == 0 &&
	    belong(d, l->symbol, l->caller))
		return l->caller;
	for (size_t i = 0; i < n && !l->after; i++) {
		if (!all[i].after)
			continue;
		*why = "another instance";
		if (are_twins(d, l, &all[i]) &&
		    belong(d, l->symbol, all[i].symbol))
			return all[i].symbol;
	}
	return CP_NO_ID;
}

void
cp_diff_pair_up(struct cp_diff *d)
{
	struct lonely *lonely =
	    cp_run_alloc(d->run, MAX_LONELY * sizeof(*lonely));
	double *scratch =
	    cp_run_alloc(d->run, (d->n_rows + 1) * sizeof(*scratch));
	struct cp_diff_symbol *symbol = d->profiles.symbol;
	size_t n;

	d->pair = cp_run_alloc(
	    d->run, (MAX_LONELY * CP_DIFF_CALLERS + (size_t)d->n_rows + 1) *
			sizeof(*d->pair));
	pair_copies(d);
	n = find_lonely(d, lonely, scratch);
	for (size_t i = 0; i < n; i++) {
		struct lonely *l = &lonely[i];
		uint32_t other = CP_NO_ID;
		const char *why = NULL;
		bool after;

		/*
		 * A function that was already paired in this loop is not lonely
		 * any more.
		 */
		if (!is_lonely(d, l->symbol, &after))
			continue;
		other = counterpart(d, l, lonely, n, &why);
		if (other != CP_NO_ID)
			absorb(d, l->symbol, other, why);
		else if (l->caller == CP_NO_ID)
			cp_diff_into_callers(d, l->symbol, after, scratch);
	}
	/* What counts as a function that counts as a third is of the third. */
	for (uint32_t s = 0; s < d->n_rows; s++)
		while (symbol[symbol[s].same].same != symbol[s].same)
			symbol[s].same = symbol[symbol[s].same].same;
}
