/* SPDX-License-Identifier: MIT */
#include "model/chain.h"

#include "base/limits.h"
#include "model/event.h"

void
cp_chains_init(struct cp_chains *c)
{
	*c = (struct cp_chains) { 0 };
	*cp_vec_push(&c->all) = (struct cp_chain) { 0 };
	c->scratch = cp_xcalloc(CP_MAX_CHAIN + 2, sizeof(*c->scratch));
}

static void
chains_rehash(struct cp_chains *c)
{
	size_t slots = c->slots != NULL ? ((size_t)c->mask + 1) * 2 : 1024;

	free(c->slots);
	c->slots = cp_xcalloc(slots, sizeof(*c->slots));
	c->mask = (uint32_t)(slots - 1);
	for (uint32_t id = 1; id < c->all.len; id++) {
		uint32_t i = (uint32_t)c->all.data[id].hash & c->mask;

		while (c->slots[i] != 0)
			i = (i + 1) & c->mask;
		c->slots[i] = id;
	}
}

static uint32_t
chains_intern(struct cp_chains *c, const uint64_t *w, uint32_t n)
{
	uint64_t h = cp_hash_words(w, n);
	uint64_t *copy;
	uint32_t i;

	if (c->slots == NULL || c->all.len > c->mask / 2)
		chains_rehash(c);
	for (i = (uint32_t)h & c->mask; c->slots[i] != 0;
	     i = (i + 1) & c->mask) {
		const struct cp_chain *o = &c->all.data[c->slots[i]];

		if (o->hash == h && o->n == n &&
		    memcmp(o->words, w, n * sizeof(*w)) == 0)
			return c->slots[i];
	}
	copy = cp_arena_alloc(&c->arena, n * sizeof(*w));
	memcpy(copy, w, n * sizeof(*w));
	*cp_vec_push(&c->all) = (struct cp_chain) {
		.hash = h, .words = copy, .n = n
	};
	c->slots[i] = (uint32_t)c->all.len - 1;
	return c->slots[i];
}

struct cp_chain_ref
cp_chains_add(struct cp_chains *c, const uint64_t *ips, size_t nr)
{
	struct cp_chain_ref ref = { 0 };
	uint64_t marker = CP_CONTEXT_USER; /* what perf assumes */
	size_t i = 0;

	while (i < nr && ips[i] >= CP_CONTEXT_MAX)
		marker = ips[i++];
	if (i == nr)
		return ref;
	ref.leaf = ips[i++];
	c->scratch[0] = marker;
	memcpy(c->scratch + 1, ips + i, (nr - i) * sizeof(*ips));
	ref.callers = chains_intern(c, c->scratch, (uint32_t)(nr - i + 1));
	return ref;
}

void
cp_chains_free(struct cp_chains *c)
{
	cp_vec_free(&c->all);
	free(c->slots);
	free(c->scratch);
	cp_arena_free(&c->arena);
	*c = (struct cp_chains) { 0 };
}
