/* SPDX-License-Identifier: MIT */
/*
 * witnesses: whether a function changed by more than the others did.
 *
 * With one run on each side, a change of everything may come from the machine:
 * on a shared host equal runs can cost twice as much, and not all functions by
 * the same factor.  Only the other functions show whether a function changed by
 * itself; they are its witnesses.
 */
#include <math.h>
#include <stdlib.h>

#include "analyses/diff/family.h"
#include "analyses/common/chance.h"

/* Variance of the median of many normal values, relative to their mean's. */
#define MEDIAN_VARIANCE 1.5707963267948966

/* The logarithm of a row's ratio, and its variances. */
struct witness {
	double log, weight;
	double sampling, runs; /* variances by sampling, and between runs */
	uint32_t symbol;
};

struct cp_diff_witnesses {
	const struct cp_diff *d;
	struct witness *row; /* in order of their logarithms */
	size_t n;
	/* Functions that are no witnesses now, or only with a part. */
	uint32_t *out;
	size_t n_out;
	bool *is_out; /* by symbol */
	/* The cost of such functions in the path, by symbol * runs + run. */
	struct cp_diff_cell *inside;
	struct witness *part; /* such parts, in order of their logarithms */
	size_t n_parts;
};

/*
 * Makes a witness of a row.  Between equal runs its cost varies as if the run
 * consisted of independent parts of its size, which together vary by the noise.
 */
static struct witness
witness_of(const struct cp_diff *d, const struct cp_diff_subject *s)
{
	double runs = 2 * d->noise * d->noise;
	double sampling = cp_diff_chance(d, s);

	return (struct witness){ .log = log1p(s->result->change),
		.weight = 1 / (sampling + runs + 1e-9),
		.sampling = sampling,
		.runs = runs / cp_diff_share_of(&d->runs, s->cells) };
}

static int
compare(const void *pa, const void *pb)
{
	const struct witness *a = pa, *b = pb;

	if (a->log < b->log || a->log > b->log)
		return a->log < b->log ? -1 : 1;
	return (a->symbol > b->symbol) - (a->symbol < b->symbol);
}

static void
sort(struct witness *w, size_t n)
{
	if (n != 0)
		qsort(w, n, sizeof(*w), compare);
}

/* Adds a witness, if the row has enough samples to show a factor. */
static void
put(const struct cp_diff *d, const struct cp_diff_subject *s, uint32_t symbol,
    struct witness *to, size_t *n)
{
	if (!cp_diff_shows_factor(s->result))
		return;
	to[*n] = witness_of(d, s);
	to[(*n)++].symbol = symbol;
}

struct cp_diff_witnesses *
cp_diff_witnesses(const struct cp_diff *d)
{
	struct cp_diff_witnesses *w = cp_run_alloc(d->run, sizeof(*w));
	size_t n = (size_t)d->n_rows + 1;

	w->d = d;
	w->row = cp_run_alloc(d->run, n * sizeof(*w->row));
	w->part = cp_run_alloc(d->run, n * sizeof(*w->part));
	w->out = cp_run_alloc(d->run, n * sizeof(*w->out));
	w->is_out = cp_run_alloc(d->run, n);
	w->inside = cp_run_alloc(d->run, n * d->n_runs * sizeof(*w->inside));
	for (uint32_t s = 0; s < d->n_rows; s++) {
		struct cp_diff_subject row = cp_diff_function(d, s);

		put(d, &row, s, w->row, &w->n);
	}
	sort(w->row, w->n);
	return w;
}

/* ------------------------------------------------------------ who is asked */

static void
take_out(struct cp_diff_witnesses *w, uint32_t symbol)
{
	if (!w->is_out[symbol])
		w->out[w->n_out++] = symbol;
	w->is_out[symbol] = true;
}

/* Makes all functions witnesses again. */
static void
ask_all(struct cp_diff_witnesses *w)
{
	uint32_t runs = w->d->n_runs;

	for (size_t i = 0; i < w->n_out; i++) {
		w->is_out[w->out[i]] = false;
		for (uint32_t r = 0; r < runs; r++)
			w->inside[(size_t)w->out[i] * runs + r] =
			    (struct cp_diff_cell){ 0 };
	}
	w->n_out = w->n_parts = 0;
}

void
cp_diff_witnesses_but(struct cp_diff_witnesses *w, uint32_t symbol)
{
	ask_all(w);
	take_out(w, symbol);
}

/* Adds the cost of a node to that of its function in the path. */
static void
put_inside(struct cp_diff_witnesses *w, uint32_t node)
{
	const struct cp_diff_tree *t = &w->d->tree;
	uint32_t runs = w->d->n_runs;
	size_t symbol = t->nodes.all[node].b - 1;

	take_out(w, (uint32_t)symbol);
	for (uint32_t r = 0; r < runs; r++) {
		struct cp_diff_cell *in = &w->inside[symbol * runs + r];
		const struct cp_diff_cell *c =
		    &t->self[(size_t)node * runs + r];

		in->weight += c->weight;
		in->weight_sq += c->weight_sq;
		in->samples += c->samples;
	}
}

/* Makes a witness of a function's cost outside of the path. */
static void
put_part(struct cp_diff_witnesses *w, uint32_t symbol)
{
	const struct cp_diff *d = w->d;
	struct cp_diff_cell *c = &w->inside[(size_t)symbol * d->n_runs];
	const struct cp_diff_cell *all = &d->cell[(size_t)symbol * d->n_runs];
	struct cp_diff_result r;

	for (uint32_t i = 0; i < d->n_runs; i++) {
		c[i].weight = fmax(0, all[i].weight - c[i].weight);
		c[i].weight_sq = fmax(0, all[i].weight_sq - c[i].weight_sq);
		c[i].samples = all[i].samples > c[i].samples
				   ? all[i].samples - c[i].samples
				   : 0;
		c[i].dispersion = all[i].dispersion;
	}
	r = cp_diff_test(&d->runs, c);
	put(d, &(struct cp_diff_subject){ .result = &r, .cells = c }, symbol,
	    w->part, &w->n_parts);
}

void
cp_diff_witnesses_outside(struct cp_diff_witnesses *w, uint32_t node)
{
	const struct cp_diff_tree *t = &w->d->tree;
	const uint32_t *below = &t->order[t->place[node]];

	ask_all(w);
	for (uint32_t i = 0; i < t->size[node]; i++)
		put_inside(w, below[i]);
	for (size_t i = 0; i < w->n_out; i++)
		put_part(w, w->out[i]);
	sort(w->part, w->n_parts);
}

/* -------------------------------------------------------------- their answer
 */

/* A position in the list of all witnesses. */
struct cursor {
	size_t row, part;
};

/* Returns the next witness in order of their logarithms; NULL: none. */
static const struct witness *
next(const struct cp_diff_witnesses *w, struct cursor *at)
{
	while (at->row < w->n && w->is_out[w->row[at->row].symbol])
		at->row++;
	if (at->part < w->n_parts &&
	    (at->row == w->n ||
		compare(&w->part[at->part], &w->row[at->row]) < 0))
		return &w->part[at->part++];
	return at->row < w->n ? &w->row[at->row++] : NULL;
}

/* Returns the weighted median of the witnesses; false: there is none. */
static bool
ask(const struct cp_diff_witnesses *w, struct witness *middle)
{
	struct cursor at = { 0, 0 };
	const struct witness *r;
	double sum = 0, half;

	*middle = (struct witness){ 0 };
	while ((r = next(w, &at)) != NULL)
		middle->weight += r->weight;
	half = middle->weight / 2;
	at = (struct cursor){ 0, 0 };
	while ((r = next(w, &at)) != NULL) {
		double part = r->weight / middle->weight;

		if (sum < half)
			middle->log = r->log;
		sum += r->weight;
		middle->sampling += MEDIAN_VARIANCE * part * part * r->sampling;
		middle->runs += MEDIAN_VARIANCE * part * part * r->runs;
	}
	return sum > 0;
}

/* True if the row changed in the direction of everything. */
static bool
goes_along(const struct cp_diff *d, const struct cp_diff_result *r)
{
	bool more = r->change > 0, all_more = d->whole.change > 0;

	return r->samples_before != 0 && r->samples_after != 0 &&
	       more == all_more;
}

static void
raise_to(struct cp_diff_family *f, size_t i, double p, double sampling)
{
	f->p[i] = fmax(f->p[i], p);
	f->sampling[i] = fmax(f->sampling[i], sampling);
}

void
cp_diff_beyond(const struct cp_diff_witnesses *w,
    const struct cp_diff_subject *s, struct cp_diff_family *f, size_t i)
{
	struct witness row, others;
	double apart, sampling, runs;

	if (!goes_along(w->d, s->result))
		return;
	row = witness_of(w->d, s);
	apart = ask(w, &others) ? row.log - others.log : 0;
	/* A smaller change than the others' is not the row's own. */
	apart = row.log > 0 ? apart : -apart;
	if (apart <= 0) {
		raise_to(f, i, 1, 1);
		return;
	}
	sampling = row.sampling + others.sampling;
	runs = row.runs + others.runs;
	raise_to(f, i, cp_t_tail(apart / sqrt(sampling + runs), CP_T_MANY),
	    cp_t_tail(apart / sqrt(sampling), CP_T_MANY));
}
