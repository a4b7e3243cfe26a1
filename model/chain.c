/* SPDX-License-Identifier: MIT */
#include "model/chain.h"

#include "base/limits.h"
#include "model/event.h"

void
cp_chains_init(struct cp_chains *c)
{
	*c = (struct cp_chains) { 0 };
	*cp_vec_push(&c->all) = (struct cp_chain) { 0 };
	*cp_vec_push(&c->hashes) = (struct cp_hash128) { 0 };
	*cp_vec_push(&c->callers) = (struct cp_callers) { 0 };
	c->scratch = cp_xcalloc(CP_MAX_CHAIN + 2, sizeof(*c->scratch));
}

void
cp_chains_free(struct cp_chains *c)
{
	cp_vec_free(&c->all);
	cp_vec_free(&c->hashes);
	cp_vec_free(&c->callers);
	free(c->slots);
	free(c->caller_slots);
	free(c->scratch);
	cp_arena_free(&c->arena);
	*c = (struct cp_chains) { 0 };
}

bool
cp_marker_level(uint64_t marker, enum cp_level *level)
{
	switch (marker) {
	case CP_CONTEXT_HV: *level = CP_LEVEL_HYPERVISOR; return true;
	case CP_CONTEXT_KERNEL: *level = CP_LEVEL_KERNEL; return true;
	case CP_CONTEXT_USER:
	case CP_CONTEXT_USER_DEFERRED: *level = CP_LEVEL_USER; return true;
	default: return false;
	}
}

static bool
is_marker(uint64_t word)
{
	enum cp_level level;

	return cp_marker_level(word, &level) || word == CP_CONTEXT_GUEST ||
	       word == CP_CONTEXT_GUEST_KERNEL ||
	       word == CP_CONTEXT_GUEST_USER;
}

/* ---------------------------------------------------------------- callers */

static void
callers_rehash(struct cp_chains *c)
{
	size_t slots = c->caller_slots != NULL
	    ? ((size_t)c->caller_mask + 1) * 2
	    : 1024;

	free(c->caller_slots);
	c->caller_slots = cp_xcalloc(slots, sizeof(*c->caller_slots));
	c->caller_mask = (uint32_t)(slots - 1);
	for (uint32_t id = 1; id < c->callers.len; id++) {
		uint32_t i = (uint32_t)c->callers.data[id].hash.a &
		    c->caller_mask;

		while (c->caller_slots[i] != 0)
			i = (i + 1) & c->caller_mask;
		c->caller_slots[i] = id;
	}
}

static uint32_t
callers_add(struct cp_chains *c, const uint64_t *w, uint32_t n)
{
	struct cp_hash128 h = cp_hash_words128(w, n);
	uint64_t *copy;
	uint32_t i;

	if (c->caller_slots == NULL || c->callers.len > c->caller_mask / 2)
		callers_rehash(c);
	for (i = (uint32_t)h.a & c->caller_mask; c->caller_slots[i] != 0;
	     i = (i + 1) & c->caller_mask) {
		const struct cp_callers *o =
		    &c->callers.data[c->caller_slots[i]];

		if (o->hash.a == h.a && o->hash.b == h.b)
			return c->caller_slots[i];
	}
	copy = cp_arena_alloc(&c->arena, n * sizeof(*w));
	memcpy(copy, w, n * sizeof(*w));
	*cp_vec_push(&c->callers) = (struct cp_callers) {
		.hash = h, .words = copy, .n = n
	};
	c->caller_slots[i] = (uint32_t)c->callers.len - 1;
	return c->caller_slots[i];
}

/* ----------------------------------------------------------------- chains */

static void
chains_rehash(struct cp_chains *c)
{
	size_t slots = c->slots != NULL ? ((size_t)c->mask + 1) * 2 : 1024;

	free(c->slots);
	c->slots = cp_xcalloc(slots, sizeof(*c->slots));
	c->mask = (uint32_t)(slots - 1);
	for (uint32_t id = 1; id < c->all.len; id++) {
		struct cp_hash128 h = c->hashes.data[id];
		uint32_t i = (uint32_t)h.a & c->mask;

		while (c->slots[i].id != 0)
			i = (i + 1) & c->mask;
		c->slots[i] = (struct cp_chain_slot) { h.b, id };
	}
}

/* The slot of a hash; its id is 0 if the chain is new. */
static struct cp_chain_slot *
chain_slot(struct cp_chains *c, struct cp_hash128 h)
{
	uint32_t i;

	if (CP_UNLIKELY(c->slots == NULL || c->all.len > c->mask / 2))
		chains_rehash(c);
	i = (uint32_t)h.a & c->mask;
	while (c->slots[i].id != 0 && c->slots[i].check != h.b)
		i = (i + 1) & c->mask;
	return &c->slots[i];
}

static uint32_t
chain_new(struct cp_chains *c, struct cp_chain_slot *slot,
    struct cp_hash128 h, const struct cp_chain *chain)
{
	*cp_vec_push(&c->all) = *chain;
	*cp_vec_push(&c->hashes) = h;
	*slot = (struct cp_chain_slot) { h.b, (uint32_t)c->all.len - 1 };
	return slot->id;
}

/* Takes a new chain apart. */
static bool
chain_split(struct cp_chains *c, const uint64_t *ips, size_t nr,
    struct cp_chain *out)
{
	uint64_t marker = CP_CONTEXT_USER; /* what perf assumes */
	enum cp_level level = CP_LEVEL_GUEST_USER;
	size_t i = 0, n = 1;

	while (i < nr && ips[i] >= CP_CONTEXT_MAX)
		marker = ips[i++];
	if (i == nr)
		return false;
	*out = (struct cp_chain) { .leaf = ips[i++] };
	out->n = (uint32_t)nr;
	out->guest = !cp_marker_level(marker, &level);
	out->level = (uint8_t)level;
	out->kernel = level == CP_LEVEL_KERNEL;
	c->scratch[0] = marker;
	for (; i < nr; i++) {
		enum cp_level other;

		/*
		 * Frame pointers that are none lead anywhere: -1 is no
		 * return address, and what came before it stays true.
		 */
		if (ips[i] >= CP_CONTEXT_MAX && !is_marker(ips[i]))
			break;
		if (ips[i] >= CP_CONTEXT_MAX) {
			out->guest |= !cp_marker_level(ips[i], &other);
			out->kernel &= ips[i] == CP_CONTEXT_KERNEL;
		}
		c->scratch[n++] = ips[i];
	}
	out->callers = callers_add(c, c->scratch, (uint32_t)n);
	return true;
}

uint32_t
cp_chains_add(struct cp_chains *c, const uint64_t *ips, size_t nr)
{
	return cp_chains_add_hashed(c, ips, nr, cp_hash_words128(ips, nr));
}

uint32_t
cp_chains_add_hashed(struct cp_chains *c, const uint64_t *ips, size_t nr,
    struct cp_hash128 h)
{
	struct cp_chain_slot *slot = chain_slot(c, h);
	struct cp_chain chain;

	if (CP_LIKELY(slot->id != 0))
		return slot->id;
	if (!chain_split(c, ips, nr, &chain))
		return 0;
	return chain_new(c, slot, h, &chain);
}

uint32_t
cp_chains_single(struct cp_chains *c, enum cp_level level, uint64_t ip)
{
	const uint64_t words[2] = { ip, (uint64_t)level };
	struct cp_hash128 h = cp_hash_words128(words, 2);
	struct cp_chain_slot *slot;
	struct cp_chain chain = { .leaf = ip, .level = (uint8_t)level,
		.kernel = level == CP_LEVEL_KERNEL };

	h.b = ~h.b; /* apart from recorded chains of two words */
	slot = chain_slot(c, h);
	return slot->id != 0 ? slot->id : chain_new(c, slot, h, &chain);
}
