/* SPDX-License-Identifier: MIT */
/* family: the tests that share a correction, and the verdict of a row. */
#include <math.h>

#include "analyses/common/chance.h"
#include "analyses/diff/family.h"

struct cp_diff_subject
cp_diff_function(const struct cp_diff *d, uint32_t s)
{
	return (struct cp_diff_subject){ .result = &d->result[s],
		.cells = &d->cell[(size_t)s * d->n_runs],
		.compiled = d->profiles.symbol[s].kind == CP_KIND_JIT };
}

struct cp_diff_family
cp_diff_family_new(struct cp_run *run, size_t n)
{
	size_t size = n * sizeof(double);

	return (struct cp_diff_family){ .p = cp_run_alloc(run, size),
		.sampling = cp_run_alloc(run, size),
		.weight = cp_run_alloc(run, size),
		.n = n };
}

void
cp_diff_family_correct(struct cp_run *run, struct cp_diff_family *f)
{
	void *scratch = cp_run_alloc(run, CP_HOLM_SCRATCH(f->n));

	cp_holm(f->p, f->weight, f->n, scratch);
	cp_holm(f->sampling, f->weight, f->n, scratch);
}

void
cp_diff_family_ask(
    struct cp_diff_family *f, size_t i, const struct cp_diff_result *r)
{
	f->p[i] = r->p;
	f->sampling[i] = r->p_sampling;
	f->weight[i] = r->before + r->after;
}

bool
cp_diff_needs_witnesses(const struct cp_diff *d)
{
	return d->n_runs == 2 && d->whole_verdict == CP_DIFF_CHANGED &&
	       d->unit == d->whole_unit;
}

enum cp_diff_verdict
cp_diff_verdict_of(const struct cp_diff *d, double p, double sampling)
{
	if (isnan(p))
		return CP_DIFF_TOO_FEW;
	if (p < d->alpha)
		return CP_DIFF_CHANGED;
	return sampling < d->alpha ? CP_DIFF_UNDECIDED : CP_DIFF_SAME;
}

/* Code compiled at run time in one run need not be compiled in another. */
static bool
is_compiled_or_not(const struct cp_diff *d, const struct cp_diff_subject *s)
{
	return d->n_runs == 2 && s->compiled &&
	       (s->result->samples_before == 0 ||
		   s->result->samples_after == 0);
}

/* Returns the verdict of a row that changed, or may have. */
static enum cp_diff_verdict
own_verdict(const struct cp_diff *d, const struct cp_diff_subject *s,
    const struct cp_diff_family *own, size_t i)
{
	const struct cp_diff_result *r = s->result;
	enum cp_diff_verdict v = cp_diff_verdict_of(
	    d, fmax(r->p, own->p[i]), fmax(r->p_sampling, own->sampling[i]));

	if (v == CP_DIFF_SAME ||
	    (fabs(d->alike) > 0 && cp_diff_as_whole(d, s, own->n - 1)))
		return CP_DIFF_AS_WHOLE;
	return is_compiled_or_not(d, s) ? CP_DIFF_UNDECIDED : v;
}

enum cp_diff_verdict
cp_diff_verdict_of_row(const struct cp_diff *d, const struct cp_diff_subject *s,
    const struct cp_diff_family *own, size_t i)
{
	enum cp_diff_verdict v =
	    cp_diff_verdict_of(d, s->result->p, s->result->p_sampling);

	return v == CP_DIFF_CHANGED || v == CP_DIFF_UNDECIDED
		   ? own_verdict(d, s, own, i)
		   : v;
}
