/* SPDX-License-Identifier: MIT */
#include "analyses/flame/flame.h"

#include <stdlib.h>
#include <string.h>

void
cp_flamerows_init(struct cp_flamerows *r, struct cp_run *run)
{
	*r = (struct cp_flamerows){ .run = run };
	cp_index_init(&r->ids, run);
}

void
cp_flamerows_add(
    struct cp_flamerows *r, uint32_t group, const struct cp_sample *s)
{
	uint32_t i =
	    cp_index_put(&r->ids, group, (uint64_t)s->pid << 32 | s->tid);
	struct cp_flamethread *t;

	cp_grow_to(r->run, r->thread, &r->cap, i);
	t = &r->thread[i];
	t->group = group;
	if (t->n == 0 || t->rows[t->n - 1].stack != s->stack) {
		cp_grow_to(r->run, t->rows, &t->cap, t->n);
		t->rows[t->n++].stack = s->stack;
	}
	t->rows[t->n - 1].weight += s->weight;
	t->rows[t->n - 1].samples++;
}

static int
compare_places(const void *va, const void *vb)
{
	const struct cp_flameplace *a = va, *b = vb;
	int c = strcmp(a->name, b->name);

	if (c != 0)
		return c;
	if (a->group != b->group)
		return a->group < b->group ? -1 : 1;
	return (a->thread > b->thread) - (a->thread < b->thread);
}

uint32_t
cp_flamerows_sort(const struct cp_flamerows *r, const struct cp_groups *g,
    uint32_t event, struct cp_flameplace **out)
{
	struct cp_flameplace *all =
	    cp_run_alloc(r->run, (r->ids.n + 1) * sizeof(*all));
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->ids.n; i++) {
		uint32_t own = r->thread[i].group;
		uint32_t group = g->alias != NULL ? g->alias[own] : own;
		const uint64_t *v = g->all[group].v;

		if (v[CP_BY_EVENT] == event)
			all[n++] = (struct cp_flameplace){
				cp_run_string(
				    r->run, (cp_string_id)v[CP_BY_COMM]),
				group, i
			};
	}
	qsort(all, n, sizeof(*all), compare_places);
	*out = all;
	return n;
}
