/* SPDX-License-Identifier: MIT */
/*
 * verdicts: which changes are real, which are chance, and which cannot be
 * decided.
 *
 * Everything together and all functions are one family of questions.  Each
 * takes a part of the risk of a false alarm: everything together takes half, a
 * function as much as its share of the cost.
 */
#include <math.h>
#include <stdlib.h>

#include "analyses/diff/between.h"
#include "analyses/diff/diff.h"
#include "analyses/diff/tails.h"

#define MOST_RUNS 10u
/*
 * A change this many standard deviations beyond the limit is found in 9 of 10
 * cases.
 */
#define NINE_OF_TEN 1.2815515655446004

/* The p-values of the family: one for each row, and the last for everything. */
struct family {
	double *p, *sampling, *weight;
	size_t n;
};

/* Findings come first, then what may be some. */
static int
rank(enum cp_diff_verdict v)
{
	switch (v) {
	case CP_DIFF_CHANGED: return 0;
	case CP_DIFF_UNDECIDED: return 1;
	case CP_DIFF_AS_WHOLE: return 2;
	case CP_DIFF_SAME:
	case CP_DIFF_TOO_FEW:
	case CP_DIFF_INTERRUPTS: break;
	}
	return 3;
}

static int
compare_rows(const void *pa, const void *pb)
{
	const struct cp_diff_row *a = pa, *b = pb;
	int ra = rank(a->verdict), rb = rank(b->verdict);
	double da = fabs(a->delta), db = fabs(b->delta);

	if (ra != rb)
		return ra < rb ? -1 : 1;
	if (da < db || da > db)
		return da > db ? -1 : 1;
	if (a->weight < b->weight || a->weight > b->weight)
		return a->weight > b->weight ? -1 : 1;
	return a->symbol < b->symbol ? -1 : a->symbol > b->symbol;
}

static double
total_of(const struct cp_diff *d, bool after)
{
	double sum = 0;

	for (uint32_t s = 0; s < d->n_rows; s++)
		sum += after ? d->result[s].after : d->result[s].before;
	return sum;
}

static bool
is_asked(const struct cp_diff *d, uint32_t s, double before, double after)
{
	const struct cp_diff_result *r = &d->result[s];

	return !cp_diff_in_interrupts(d, s) && !isnan(r->p) &&
	       (r->before >= d->min_share * before ||
		   r->after >= d->min_share * after);
}

static struct family
family_new(struct cp_diff *d)
{
	size_t n = (size_t)d->n_rows + 1, size = n * sizeof(double);

	return (struct family){ .p = cp_run_alloc(d->run, size),
		.sampling = cp_run_alloc(d->run, size),
		.weight = cp_run_alloc(d->run, size),
		.n = n };
}

static void
family_fill(struct cp_diff *d, struct family *f)
{
	double before = total_of(d, false), after = total_of(d, true), sum = 0;

	for (uint32_t s = 0; s < d->n_rows; s++) {
		const struct cp_diff_result *r = &d->result[s];
		bool asked = is_asked(d, s, before, after);

		f->p[s] = asked ? r->p : (double)NAN;
		f->sampling[s] = asked ? r->p_sampling : (double)NAN;
		f->weight[s] = asked ? r->before + r->after : 0;
		sum += f->weight[s];
	}
	f->p[d->n_rows] = d->whole.p;
	f->sampling[d->n_rows] = d->whole.p_sampling;
	f->weight[d->n_rows] = sum > 0 ? sum : 1;
}

static void
correct(struct cp_diff *d, struct family *f)
{
	void *scratch = cp_run_alloc(d->run, CP_DIFF_SCRATCH(f->n));

	cp_diff_holm(f->p, f->weight, f->n, scratch);
	cp_diff_holm(f->sampling, f->weight, f->n, scratch);
}

/*
 * True if a change of everything may be the machine's: one run each, and no
 * shares.  A function is then found only if it changed by more than others.
 */
static bool
needs_witnesses(const struct cp_diff *d)
{
	return d->n_runs == 2 && d->whole_verdict == CP_DIFF_CHANGED &&
	       d->unit == d->whole_unit;
}

/* Asks of what has changed whether it did so beyond the others. */
static void
ask_witnesses(struct cp_diff *d, struct family *f)
{
	struct cp_diff_witnesses *w = cp_diff_witnesses(d);
	struct family own = family_new(d);

	family_fill(d, &own);
	own.p[d->n_rows] = own.sampling[d->n_rows] = 0;
	for (uint32_t s = 0; s < d->n_rows; s++) {
		struct cp_diff_beyond b;

		if (!(f->sampling[s] < d->alpha))
			continue;
		b = cp_diff_beyond(d, w, s);
		own.p[s] = fmax(own.p[s], b.all);
		own.sampling[s] = fmax(own.sampling[s], b.sampling);
	}
	correct(d, &own);
	*f = own;
}

static enum cp_diff_verdict
verdict(const struct cp_diff *d, double p, double sampling)
{
	if (isnan(p))
		return CP_DIFF_TOO_FEW;
	if (p < d->alpha)
		return CP_DIFF_CHANGED;
	return sampling < d->alpha ? CP_DIFF_UNDECIDED : CP_DIFF_SAME;
}

/* Code compiled at run time in one run need not be compiled in another. */
static bool
is_compiled_or_not(const struct cp_diff *d, uint32_t s)
{
	const struct cp_diff_result *r = &d->result[s];

	return d->n_runs == 2 && d->profiles.symbol[s].kind == CP_KIND_JIT &&
	       (r->samples_before == 0 || r->samples_after == 0);
}

/* Returns the verdict of a row that changed, or may have. */
static enum cp_diff_verdict
own_verdict(const struct cp_diff *d, const struct family *f, uint32_t s)
{
	const struct cp_diff_result *r = &d->result[s];
	enum cp_diff_verdict v = verdict(
	    d, fmax(r->p, f->p[s]), fmax(r->p_sampling, f->sampling[s]));

	if (v == CP_DIFF_SAME ||
	    (fabs(d->alike) > 0 && cp_diff_as_whole(d, s, d->alike)))
		return CP_DIFF_AS_WHOLE;
	return is_compiled_or_not(d, s) ? CP_DIFF_UNDECIDED : v;
}

/* f: the probabilities that a row did not change beyond the others. */
static enum cp_diff_verdict
row_verdict(const struct cp_diff *d, const struct family *f, uint32_t s)
{
	const struct cp_diff_result *r = &d->result[s];
	enum cp_diff_verdict v;

	if (cp_diff_in_interrupts(d, s))
		return CP_DIFF_INTERRUPTS;
	v = verdict(d, r->p, r->p_sampling);
	return v == CP_DIFF_CHANGED || v == CP_DIFF_UNDECIDED
		   ? own_verdict(d, f, s)
		   : v;
}

static void
judge_row(struct cp_diff *d, const struct family *f, uint32_t s)
{
	struct cp_diff_result *r = &d->result[s];

	d->row[s] = (struct cp_diff_row){ .delta = r->after - r->before,
		.weight = r->before,
		.symbol = s,
		.verdict = row_verdict(d, f, s) };
	d->undecided += d->row[s].verdict == CP_DIFF_UNDECIDED;
}

/* Judges rows and everything by their corrected probabilities. */
static void
judge_rows(struct cp_diff *d, struct family *f)
{
	struct cp_diff_result *w = &d->whole;
	struct family own = *f;

	w->p = f->p[d->n_rows];
	w->p_sampling = f->sampling[d->n_rows];
	d->whole_verdict = verdict(d, w->p, w->p_sampling);
	d->alike = cp_diff_alike(d);
	if (needs_witnesses(d))
		ask_witnesses(d, &own);
	for (uint32_t s = 0; s < d->n_rows; s++) {
		d->result[s].p = f->p[s];
		d->result[s].p_sampling = f->sampling[s];
		judge_row(d, &own, s);
	}
}

static void
test_rows(struct cp_diff *d)
{
	struct family f = family_new(d);

	d->result = cp_run_alloc(d->run, f.n * sizeof(*d->result));
	d->row = cp_run_alloc(d->run, f.n * sizeof(*d->row));
	for (uint32_t s = 0; s < d->n_rows; s++)
		d->result[s] =
		    cp_diff_test(&d->runs, &d->cell[(size_t)s * d->n_runs]);
	family_fill(d, &f);
	correct(d, &f);
	judge_rows(d, &f);
	qsort(d->row, d->n_rows, sizeof(*d->row), compare_rows);
}

static void
test_whole(struct cp_diff *d)
{
	struct cp_diff_cell *all =
	    cp_run_alloc(d->run, d->n_runs * sizeof(*all));

	for (uint32_t r = 0; r < d->n_runs; r++) {
		const struct cp_diff_profile *p = &d->profiles.all[r];

		all[r] = (struct cp_diff_cell){ .weight = p->weight,
			.weight_sq = p->weight_sq,
			.dispersion = p->whole,
			.samples = p->samples };
	}
	d->whole_runs.own = d->runs.own;
	d->whole_runs.concentration = d->runs.concentration;
	d->whole = cp_diff_test_whole(&d->whole_runs, all);
}

/* With one capture before, those after need not be runs of the same. */
static void
test_each(struct cp_diff *d)
{
	bool *skip = cp_run_alloc(d->run, d->n_rows + 1);

	if (d->runs.before != 1 || d->runs.after < 2)
		return;
	for (uint32_t s = 0; s < d->n_rows; s++)
		skip[s] = cp_diff_in_interrupts(d, s);
	d->each = (struct cp_diff_questions){ .profiles = &d->profiles,
		.runs = &d->runs,
		.cell = d->cell,
		.norm_var = d->norm_var,
		.skip = skip,
		.n_rows = d->n_rows,
		.min_share = d->min_share,
		.alpha = d->alpha };
	cp_diff_each_test(&d->answers, d->run, &d->each);
}

void
cp_diff_judge(struct cp_diff *d)
{
	cp_diff_between(&d->runs, d->run, d->cell, d->n_rows);
	test_whole(d);
	cp_diff_tree_build(&d->tree, d->run, &d->profiles, d->cell);
	cp_diff_tree_test(&d->tree, d->run, &d->runs, d->min_share);
	test_rows(d);
	test_each(d);
}

/* ------------------------------------------------------------------- power */

/* Returns the smallest change that is found in 9 of 10 cases. */
static double
reach(const struct cp_diff *d, double error, double degrees, double part)
{
	return exp((cp_diff_t_quantile(d->alpha * part, degrees) +
		       NINE_OF_TEN) *
		   error) -
	       1;
}

double
cp_diff_power(const struct cp_diff *d, double share)
{
	const struct cp_diff_result *w = &d->whole;
	uint32_t n = d->n_runs;
	struct cp_diff_cell *part;

	struct cp_diff_result r;

	if (share >= 1)
		return reach(d, w->error, w->degrees, 0.5);
	part = cp_run_alloc(d->run, n * sizeof(*part));
	for (uint32_t i = 0; i < n; i++) {
		const struct cp_diff_profile *p = &d->profiles.all[i];

		part[i] = (struct cp_diff_cell){ .weight = share * p->weight,
			.weight_sq = share * p->weight_sq,
			.dispersion = p->typical,
			.samples = (uint64_t)(share * (double)p->samples) };
	}
	r = cp_diff_test(&d->runs, part);
	return reach(d, r.error, r.degrees, share / 2);
}

double
cp_diff_power_of_samples(const struct cp_diff *d)
{
	return exp(cp_diff_t_quantile(d->alpha, INFINITY) * d->whole.sampling) -
	       1;
}

/* Returns how many runs are needed on each side, if runs differ as assumed. */
static uint32_t
wanted_for(const struct cp_diff *d, const struct cp_diff_result *r)
{
	double change = fabs(log(r->change + 1));
	uint32_t k = 2;

	if (!isfinite(change))
		return k;
	for (; k < MOST_RUNS; k++) {
		double degrees = 2.0 * (k - 1) + 3;
		double error = r->error / sqrt(k);

		if (log1p(reach(d, error, degrees, 0.1)) < change)
			break;
	}
	return k;
}

uint32_t
cp_diff_runs_wanted(const struct cp_diff *d)
{
	uint32_t most = 0, k;

	if (d->whole_verdict == CP_DIFF_UNDECIDED)
		most = wanted_for(d, &d->whole);
	for (uint32_t i = 0; i < d->n_rows; i++) {
		if (d->row[i].verdict != CP_DIFF_UNDECIDED)
			continue;
		k = wanted_for(d, &d->result[d->row[i].symbol]);
		most = k > most ? k : most;
	}
	return most;
}
