/* SPDX-License-Identifier: MIT */
#include "analyses/common/dense-ids.h"

#include <string.h>

#define FIRST_SLOTS 64u

void
cp_index_init(struct cp_index *x, struct cp_run *run)
{
	*x = (struct cp_index){ .run = run, .mask = FIRST_SLOTS - 1 };
	x->slots = cp_run_alloc(run, FIRST_SLOTS * sizeof(*x->slots));
	x->all = cp_run_alloc(run, FIRST_SLOTS / 2 * sizeof(*x->all));
}

static uint32_t
slot_of(const struct cp_index *x, uint64_t a, uint64_t b)
{
	uint64_t h = (a ^ b * UINT64_C(0xff51afd7ed558ccd)) *
		     UINT64_C(0x9e3779b97f4a7c15);
	uint32_t i = (uint32_t)(h ^ h >> 32) & x->mask;

	for (; x->slots[i] != 0; i = (i + 1) & x->mask) {
		const struct cp_pair *p = &x->all[x->slots[i] - 1];

		if (p->a == a && p->b == b)
			break;
	}
	return i;
}

static void
grow(struct cp_index *x)
{
	size_t slots = ((size_t)x->mask + 1) * 2;
	struct cp_pair *all = cp_run_alloc(x->run, slots / 2 * sizeof(*all));

	memcpy(all, x->all, x->n * sizeof(*all));
	x->all = all;
	x->mask = (uint32_t)(slots - 1);
	x->slots = cp_run_alloc(x->run, slots * sizeof(*x->slots));
	for (uint32_t i = 0; i < x->n; i++)
		x->slots[slot_of(x, all[i].a, all[i].b)] = i + 1;
}

uint32_t
cp_index_put(struct cp_index *x, uint64_t a, uint64_t b)
{
	uint32_t i = slot_of(x, a, b);

	if (x->slots[i] != 0)
		return x->slots[i] - 1;
	if (x->n == (x->mask + 1) / 2) {
		grow(x);
		i = slot_of(x, a, b);
	}
	x->all[x->n] = (struct cp_pair){ a, b };
	x->slots[i] = x->n + 1;
	return x->n++;
}

uint32_t
cp_index_get(const struct cp_index *x, uint64_t a, uint64_t b)
{
	return x->slots[slot_of(x, a, b)] - 1;
}

void *
cp_grown(
    struct cp_run *run, void *array, uint32_t *cap, uint32_t n, size_t size)
{
	uint32_t old = *cap;
	void *more;

	while (*cap <= n)
		*cap = *cap != 0 ? *cap * 2 : 16;
	more = cp_run_alloc(run, *cap * size);
	if (old != 0)
		memcpy(more, array, old * size);
	return more;
}
