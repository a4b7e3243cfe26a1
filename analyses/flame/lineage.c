/* SPDX-License-Identifier: MIT */
#include "analyses/flame/flame.h"

void
cp_lineage_init(struct cp_lineage *l, const struct cp_paths *p)
{
	*l = (struct cp_lineage){ .parent = p->parent };
	l->depth = cp_run_alloc(p->run, p->n * sizeof(*l->depth));
	l->jump = cp_run_alloc(p->run, p->n * sizeof(*l->jump));
	for (uint32_t i = 1; i < p->n; i++) {
		uint32_t up = p->parent[i], far = l->jump[up];
		uint32_t step = l->depth[up] - l->depth[far];

		/* Two jumps of one length make one of twice that. */
		l->jump[i] = up;
		if (step == l->depth[far] - l->depth[l->jump[far]])
			l->jump[i] = l->jump[far];
		l->depth[i] = l->depth[up] + 1;
		if (l->depth[i] > l->deepest)
			l->deepest = l->depth[i];
	}
}

/* Returns the ancestor of a node at that depth. */
static uint32_t
ancestor(const struct cp_lineage *l, uint32_t i, uint32_t depth)
{
	while (l->depth[i] > depth)
		i = l->depth[l->jump[i]] >= depth ? l->jump[i] : l->parent[i];
	return i;
}

uint32_t
cp_lineage_common(const struct cp_lineage *l, uint32_t a, uint32_t b)
{
	a = ancestor(l, a, l->depth[b]);
	b = ancestor(l, b, l->depth[a]);
	while (a != b) {
		bool far = l->jump[a] != l->jump[b];

		a = far ? l->jump[a] : l->parent[a];
		b = far ? l->jump[b] : l->parent[b];
	}
	return l->depth[a];
}
