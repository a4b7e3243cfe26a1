/* SPDX-License-Identifier: MIT */
#include <coldperf/plugin.h>

#include <string.h>

#define FIRST_SLOTS 64u

void
cp_slots_init(struct cp_slots *s, struct cp_run *run, uint32_t n)
{
	s->mask = n - 1;
	s->at = cp_run_alloc(run, n * sizeof(*s->at));
}

void
cp_slots_free(struct cp_slots *s, struct cp_run *run)
{
	cp_run_free(run, s->at, ((size_t)s->mask + 1) * sizeof(*s->at));
	s->at = NULL;
}

void
cp_slots_grow(struct cp_slots *s, struct cp_run *run, uint32_t n,
    uint32_t (*hash)(const void *all, uint32_t number), const void *all)
{
	size_t slots = ((size_t)s->mask + 1) * 2;

	cp_slots_free(s, run);
	s->mask = (uint32_t)(slots - 1);
	s->at = cp_run_alloc(run, slots * sizeof(*s->at));
	for (uint32_t k = 0; k < n; k++) {
		uint32_t i = hash(all, k);

		while (cp_slots_get(s, &i) != 0)
			i++;
		s->at[i] = k + 1;
	}
}

void
cp_index_init(struct cp_index *x, struct cp_run *run)
{
	*x = (struct cp_index){ .run = run };
	cp_slots_init(&x->slots, run, FIRST_SLOTS);
	x->all = cp_run_alloc(run, FIRST_SLOTS / 2 * sizeof(*x->all));
}

static uint32_t
hash_of(uint64_t a, uint64_t b)
{
	uint64_t h = (a ^ b * UINT64_C(0xff51afd7ed558ccd)) *
		     UINT64_C(0x9e3779b97f4a7c15);

	return (uint32_t)(h ^ h >> 32);
}

static uint32_t
pair_hash(const void *all, uint32_t number)
{
	const struct cp_pair *p = all;

	return hash_of(p[number].a, p[number].b);
}

static uint32_t
slot_of(const struct cp_index *x, uint64_t a, uint64_t b)
{
	uint32_t i = hash_of(a, b), k;

	for (; (k = cp_slots_get(&x->slots, &i)) != 0; i++)
		if (x->all[k - 1].a == a && x->all[k - 1].b == b)
			break;
	return i;
}

static void
grow(struct cp_index *x)
{
	struct cp_pair *all =
	    cp_run_alloc(x->run, 2 * (size_t)x->n * sizeof(*all));

	memcpy(all, x->all, x->n * sizeof(*all));
	cp_run_free(x->run, x->all, x->n * sizeof(*all));
	x->all = all;
	cp_slots_grow(&x->slots, x->run, x->n, pair_hash, all);
}

void
cp_index_free(struct cp_index *x)
{
	/* as many as half the slots: see grow() */
	cp_run_free(
	    x->run, x->all, ((size_t)x->slots.mask + 1) / 2 * sizeof(*x->all));
	cp_slots_free(&x->slots, x->run);
	*x = (struct cp_index){ .run = x->run };
}

uint32_t
cp_index_put(struct cp_index *x, uint64_t a, uint64_t b)
{
	uint32_t i = slot_of(x, a, b);

	if (x->slots.at[i] != 0)
		return x->slots.at[i] - 1;
	if (cp_slots_full(&x->slots, x->n)) {
		grow(x);
		i = slot_of(x, a, b);
	}
	x->all[x->n] = (struct cp_pair){ a, b };
	x->slots.at[i] = x->n + 1;
	return x->n++;
}

uint32_t
cp_index_get(const struct cp_index *x, uint64_t a, uint64_t b)
{
	return x->slots.at[slot_of(x, a, b)] - 1;
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
	cp_run_free(run, array, old * size);
	return more;
}
