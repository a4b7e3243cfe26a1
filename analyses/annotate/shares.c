/* SPDX-License-Identifier: MIT */
#include "analyses/annotate/annotate.h"

void
cp_part_add(struct cp_part *p, const struct cp_hit *h)
{
	p->mass.weight += h->mass.weight;
	p->mass.weight_sq += h->mass.weight_sq;
	p->samples += h->samples;
}

/*
 * No interval is shown for a row without samples.  Code embedded in a page has
 * no shares: the page computes them.
 */
void
cp_annotate_shares(const struct cp_annotate *a, struct cp_table *t,
    const struct cp_hot *h, const struct cp_part *p)
{
	uint32_t event = h->hits[0].event;
	struct cp_whole all = cp_groups_whole(&a->groups, event);

	if (a->embedded)
		return;
	all.dispersion = a->dispersion[event];
	cp_table_cells(t,
	    p->samples == 0 ? cp_cell_number(0) : cp_cell_share(p->mass, all),
	    cp_share((double)p->mass.weight, (double)h->mass.weight),
	    p->samples);
}

struct cp_code
cp_annotate_code(struct cp_annotate *a, const struct cp_hot *h)
{
	uint64_t *addr = cp_run_alloc(a->run, h->n * sizeof(*addr));

	for (size_t i = 0; i < h->n; i++)
		addr[i] = h->hits[i].addr;
	return cp_run_code(a->run, h->symbol, a->flags, addr, h->n);
}
