/* SPDX-License-Identifier: MIT */
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
