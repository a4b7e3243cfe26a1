/* SPDX-License-Identifier: MIT */
/* rules: the verdict of a row, be it a function or a call path. */
#include <math.h>

#include "analyses/diff/family.h"

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
