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
#include <string.h>

#include "analyses/diff/between.h"
#include "analyses/diff/family.h"
#include "analyses/common/chance.h"

#define MOST_RUNS 10u
/*
 * A change this many standard deviations beyond the limit is found in 9 of 10
 * cases.
 */
#define NINE_OF_TEN 1.2815515655446004

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
compare_texts(const char *a, const char *b)
{
	return strcmp(a != NULL ? a : "", b != NULL ? b : "");
}

/*
 * Equal rows are in order of their names, not of what came first in one of the
 * captures.
 */
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
	if (compare_texts(a->name, b->name) != 0)
		return compare_texts(a->name, b->name);
	if (compare_texts(a->object, b->object) != 0)
		return compare_texts(a->object, b->object);
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

	return d->lacks == NULL && !cp_diff_in_interrupts(d, s) &&
	       !isnan(r->p) &&
	       (r->before >= d->min_share * before ||
		   r->after >= d->min_share * after);
}

/* The questions: one for each row, and the last for everything. */
static struct cp_diff_family
family_of(struct cp_diff *d)
{
	double before = total_of(d, false), after = total_of(d, true), sum = 0;
	uint32_t n = d->n_rows;
	struct cp_diff_family f = cp_diff_family_new(d->run, (size_t)n + 1);

	for (uint32_t s = 0; s < n; s++)
		if (is_asked(d, s, before, after)) {
			cp_diff_family_ask(&f, s, &d->result[s]);
			sum += f.weight[s];
		} else {
			f.p[s] = f.sampling[s] = NAN;
		}
	cp_diff_family_ask(&f, n, &d->whole);
	f.weight[n] = sum > 0 ? sum : 1;
	return f;
}

/* Tests whether functions that changed did so by more than the others. */
static void
ask_witnesses(struct cp_diff *d, struct cp_diff_family *f)
{
	struct cp_diff_witnesses *w = cp_diff_witnesses(d);
	struct cp_diff_family own = family_of(d);

	own.p[d->n_rows] = own.sampling[d->n_rows] = 0;
	for (uint32_t s = 0; s < d->n_rows; s++) {
		struct cp_diff_subject row = cp_diff_function(d, s);

		if (!(f->sampling[s] < d->alpha))
			continue;
		cp_diff_witnesses_but(w, s);
		cp_diff_beyond(w, &row, &own, s);
	}
	cp_diff_family_correct(d->run, &own);
	*f = own;
}

static void
judge_row(struct cp_diff *d, const struct cp_diff_family *own, uint32_t s)
{
	struct cp_diff_subject row = cp_diff_function(d, s);
	const struct cp_diff_result *r = row.result;

	d->row[s] = (struct cp_diff_row){ .delta = r->after - r->before,
		.weight = r->before,
		.symbol = s,
		.name = d->profiles.symbol[s].name,
		.object = d->profiles.symbol[s].object,
		.verdict = cp_diff_in_interrupts(d, s)
			       ? CP_DIFF_INTERRUPTS
			       : cp_diff_verdict_of_row(d, &row, own, s) };
	d->undecided += d->row[s].verdict == CP_DIFF_UNDECIDED;
}

/* Judges rows and everything by their corrected probabilities. */
static void
judge_rows(struct cp_diff *d, const struct cp_diff_family *f)
{
	struct cp_diff_result *w = &d->whole;
	struct cp_diff_family own = *f;

	w->p = f->p[d->n_rows];
	w->p_sampling = f->sampling[d->n_rows];
	d->whole_verdict = cp_diff_verdict_of(d, w->p, w->p_sampling);
	d->alike = cp_diff_alike(d);
	if (cp_diff_needs_witnesses(d))
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
	size_t n = (size_t)d->n_rows + 1;
	struct cp_diff_family f;

	d->result = cp_run_alloc(d->run, n * sizeof(*d->result));
	d->row = cp_run_alloc(d->run, n * sizeof(*d->row));
	for (uint32_t s = 0; s < d->n_rows; s++)
		d->result[s] =
		    cp_diff_test(&d->runs, &d->cell[(size_t)s * d->n_runs]);
	f = family_of(d);
	cp_diff_family_correct(d->run, &f);
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
	d->whole_runs.bursts = d->runs.bursts;
	d->whole = cp_diff_test_whole(&d->whole_runs, all);
	if (d->lacks != NULL)
		d->whole.p = d->whole.p_sampling = NAN;
	/* How often it took a sample is not known. */
	if (d->nameless != NULL && d->per == NULL) {
		d->whole.change = d->whole.p = d->whole.p_sampling = NAN;
		d->whole.lo = 1;
		d->whole.hi = 0;
	}
}

void
cp_diff_judge(struct cp_diff *d)
{
	d->lacks = cp_diff_lacks(d);
	cp_diff_between(&d->runs, d->run, d->cell, d->n_rows);
	test_whole(d);
	cp_diff_tree_build(&d->tree, d->run, &d->profiles, d->cell);
	cp_diff_tree_test(&d->tree, d->run, &d->runs);
	test_rows(d);
	cp_diff_paths_judge(d);
}

/* ------------------------------------------------------------------- power */

/* Returns the smallest change that is found in 9 of 10 cases. */
static double
reach(const struct cp_diff *d, double error, double degrees, double part)
{
	return exp((cp_t_quantile(d->alpha * part, degrees) + NINE_OF_TEN) *
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
