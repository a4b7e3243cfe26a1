/* SPDX-License-Identifier: MIT */
#include "model/callchain.h"

#include "base/bytes.h"
#include "base/limits.h"

void
cp_chains_init(struct cp_chains *c)
{
	*c = (struct cp_chains){ 0 };
	*cp_vec_push(&c->all) = (struct cp_chain){ 0 };
	*cp_vec_push(&c->callers) = (struct cp_callers){ 0 };
	c->scratch = cp_xcalloc(CP_MAX_CHAIN + 2, sizeof(*c->scratch));
}

void
cp_chains_free(struct cp_chains *c)
{
	cp_vec_free(&c->all);
	cp_vec_free(&c->callers);
	free(c->slots);
	free(c->caller_slots);
	free(c->singles);
	free(c->scratch);
	free(c->joined);
	cp_arena_free(&c->arena);
	*c = (struct cp_chains){ 0 };
}

static bool
is_marker(uint64_t word)
{
	enum cp_level level;

	return cp_marker_level(word, &level) || word == CP_CONTEXT_GUEST ||
	       word == CP_CONTEXT_GUEST_KERNEL || word == CP_CONTEXT_GUEST_USER;
}

/* ---------------------------------------------------------------- callers */

static void
callers_rehash(struct cp_chains *c)
{
	size_t slots =
	    c->caller_slots != NULL ? ((size_t)c->caller_mask + 1) * 2 : 1024;

	free(c->caller_slots);
	c->caller_slots = cp_xcalloc(slots, sizeof(*c->caller_slots));
	c->caller_mask = (uint32_t)(slots - 1);
	for (uint32_t id = 1; id < c->callers.len; id++) {
		uint32_t i =
		    (uint32_t)c->callers.data[id].hash.a & c->caller_mask;

		while (c->caller_slots[i] != 0)
			i = (i + 1) & c->caller_mask;
		c->caller_slots[i] = id;
	}
}

static uint32_t
part_add(struct cp_chains *c, const uint64_t *w, uint32_t n, uint32_t outer)
{
	struct cp_hash128 h = cp_hash_words128(w, n);
	uint64_t *copy;
	uint32_t i;

	if (outer != 0) {
		h.a = cp_mix(h.a, outer);
		h.b = cp_mix(h.b, h.a);
	}

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
	*cp_vec_push(&c->callers) = (struct cp_callers){
		.hash = h, .words = copy, .n = n, .outer = outer
	};
	c->caller_slots[i] = (uint32_t)c->callers.len - 1;
	return c->caller_slots[i];
}

/*
 * Adds n words of callers, the outermost part first.  No part begins at a
 * marker or behind one, because the first address behind it may be exact.
 */
static uint32_t
callers_add(struct cp_chains *c, uint64_t *w, size_t n)
{
	size_t marker = n, from;
	uint32_t outer = 0;

	while (n > CP_CALLERS_PART + 1) {
		uint64_t before;

		for (from = n - CP_CALLERS_PART;
		     from > 1 && (w[from] >= CP_CONTEXT_MAX ||
				     w[from - 1] >= CP_CONTEXT_MAX);)
			from--;
		if (from <= 1)
			break;
		if (marker >= from)
			for (marker = from - 1; w[marker] < CP_CONTEXT_MAX;)
				marker--;
		before = w[from - 1];
		w[from - 1] = w[marker];
		outer =
		    part_add(c, w + from - 1, (uint32_t)(n - from + 1), outer);
		w[from - 1] = before;
		n = from;
	}
	return part_add(c, w, (uint32_t)n, outer);
}

const uint64_t *
cp_chains_callers(
    struct cp_chains *c, const struct cp_chain *chain, uint32_t *n)
{
	const struct cp_callers *w = &c->callers.data[chain->callers];

	*n = w->n;
	if (w->outer == 0)
		return w->words;
	if (c->joined == NULL)
		c->joined = cp_xcalloc(CP_MAX_CHAIN + 2, sizeof(*c->joined));
	memcpy(c->joined, w->words, w->n * sizeof(*w->words));
	while (w->outer != 0) {
		w = &c->callers.data[w->outer];
		memcpy(c->joined + *n, w->words + 1,
		    (w->n - 1) * sizeof(*w->words));
		*n += w->n - 1;
	}
	return c->joined;
}

/* ----------------------------------------------------------------- chains */

static void
chains_rehash(struct cp_chains *c)
{
	size_t had = c->slots != NULL ? (size_t)c->mask + 1 : 0;
	size_t slots = had != 0 ? had * 2 : 1024;
	struct cp_chain_slot *old = c->slots;

	c->slots = cp_xcalloc(slots, sizeof(*c->slots));
	c->mask = (uint32_t)(slots - 1);
	for (size_t k = 0; k < had; k++) {
		uint32_t i = old[k].place & c->mask;

		if (old[k].id == 0)
			continue;
		while (c->slots[i].id != 0)
			i = (i + 1) & c->mask;
		c->slots[i] = old[k];
	}
	free(old);
}

/* Returns the slot of a hash.  Its id is 0 if the chain is new. */
static struct cp_chain_slot *
chain_slot(struct cp_chains *c, struct cp_hash128 h)
{
	uint32_t i;

	if (CP_UNLIKELY(c->slots == NULL || c->n_slots > c->mask / 4 * 3))
		chains_rehash(c);
	i = (uint32_t)h.a & c->mask;
	while (c->slots[i].id != 0 && c->slots[i].check != h.b)
		i = (i + 1) & c->mask;
	return &c->slots[i];
}

static uint32_t
chain_new(struct cp_chains *c, struct cp_chain_slot *slot, struct cp_hash128 h,
    const struct cp_chain *chain)
{
	*cp_vec_push(&c->all) = *chain;
	*slot = (struct cp_chain_slot){ h.b, (uint32_t)c->all.len - 1,
		(uint32_t)h.a };
	c->n_slots++;
	return slot->id;
}

/*
 * Returns the marker at ips[*i] and steps over it.  `pack --unwound` writes its
 * own markers in a way that perf can read: the USER marker twice begins an
 * unwound part, three times frames found by the frame pointer, four times
 * frames found by scanning the stack, five times frames found by the current
 * instructions.
 */
static uint64_t
next_marker(const uint64_t *ips, size_t nr, size_t *i)
{
	size_t first = *i;

	while (*i < nr && ips[*i] == CP_CONTEXT_USER && *i - first < 5)
		++*i;
	switch (*i - first) {
	case 0: return ips[(*i)++];
	case 1: return CP_CONTEXT_USER;
	case 2: return CP_CONTEXT_USER_UNWOUND;
	case 3: return CP_CONTEXT_USER_GUESSED;
	case 4: return CP_CONTEXT_USER_SCANNED;
	default: return CP_CONTEXT_USER_EDGE;
	}
}

/* Returns the number of words at the end that tell how the unwinding ended. */
static size_t
end_words(const uint64_t *ips, size_t nr)
{
	size_t n = 0;

	while (n < nr && ips[nr - 1 - n] == CP_CONTEXT_USER)
		n++;
	return n > CP_CONTEXT_USER_ENDS &&
		       n <= CP_CONTEXT_USER_ENDS + CP_UNWIND_LIMIT
		   ? n
		   : 0;
}

/* Splits a new chain into leaf and callers. */
static bool
chain_split(
    struct cp_chains *c, const uint64_t *ips, size_t nr, struct cp_chain *out)
{
	/* what perf assumes without a marker */
	uint64_t marker = CP_CONTEXT_USER;
	enum cp_level level = CP_LEVEL_GUEST_USER;
	size_t i = 0, n = 1, end = end_words(ips, nr);

	nr -= end;
	while (i < nr && ips[i] >= CP_CONTEXT_MAX)
		marker = next_marker(ips, nr, &i);
	if (i == nr)
		return false;
	*out = (struct cp_chain){ .leaf = ips[i++] };
	out->n = (uint32_t)nr;
	out->end = (uint8_t)(end - CP_MIN(end, (size_t)CP_CONTEXT_USER_ENDS));
	out->guest = !cp_marker_level(marker, &level);
	out->level = (uint8_t)level;
	out->kernel = level == CP_LEVEL_KERNEL;
	c->scratch[0] = marker;
	if (marker == CP_CONTEXT_USER_UNWOUND)
		out->n = 0;
	while (i < nr) {
		enum cp_level other;
		uint64_t word = ips[i];

		/*
		 * A wrong frame pointer leads anywhere.  -1 is no return
		 * address; the frames before it are still right.
		 */
		if (word >= CP_CONTEXT_MAX && !is_marker(word))
			break;
		if (word >= CP_CONTEXT_MAX) {
			word = next_marker(ips, nr, &i);
			out->guest |= !cp_marker_level(word, &other);
			out->kernel &= word == CP_CONTEXT_KERNEL;
			if (word == CP_CONTEXT_USER_UNWOUND)
				out->n = CP_MIN(out->n, (uint32_t)n);
		} else {
			i++;
		}
		c->scratch[n++] = word;
	}
	out->callers = callers_add(c, c->scratch, n);
	return true;
}

static uint32_t
add_hashed(
    struct cp_chains *c, const uint64_t *ips, size_t nr, struct cp_hash128 h)
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
cp_chains_add(struct cp_chains *c, const uint64_t *ips, size_t nr)
{
	return add_hashed(c, ips, nr, cp_hash_words128(ips, nr));
}

static void
take_oldest(struct cp_chains *c)
{
	const struct cp_chain_wait *w = &c->ring[c->taken++ % CP_CHAIN_RING];

	*w->id = add_hashed(c, w->ips, w->nr, w->hash);
}

void
cp_chains_queue(
    struct cp_chains *c, const uint64_t *ips, size_t nr, uint32_t *id)
{
	struct cp_chain_wait *w;

	if (c->queued - c->taken == CP_CHAIN_RING)
		take_oldest(c);
	w = &c->ring[c->queued++ % CP_CHAIN_RING];
	*w = (struct cp_chain_wait){ cp_hash_words128(ips, nr), ips, nr, id };
	if (CP_LIKELY(c->slots != NULL))
		__builtin_prefetch(&c->slots[(uint32_t)w->hash.a & c->mask]);
}

void
cp_chains_settle(struct cp_chains *c)
{
	while (c->taken != c->queued)
		take_oldest(c);
}

size_t
cp_chains_words(struct cp_chains *c, uint32_t id, uint64_t *words, size_t max)
{
	const struct cp_chain *chain = &c->all.data[id];
	uint32_t have;
	const uint64_t *rest = cp_chains_callers(c, chain, &have);
	size_t n = 0;

	if (have == 0 || max < 2)
		return 0;
	words[n++] = rest[0];
	words[n++] = chain->leaf;
	for (uint32_t i = 1; i < have && n < max; i++)
		words[n++] = rest[i];
	return n;
}

/* ----------------------------------------------------- single addresses */

static inline uint32_t
single_at(const struct cp_chains *c, enum cp_level level, uint64_t ip)
{
	uint32_t i = (uint32_t)cp_mix(ip, level) & c->single_mask;

	while (c->singles[i].id != 0 &&
	       (c->singles[i].ip != ip || c->singles[i].level != level))
		i = (i + 1) & c->single_mask;
	return i;
}

static void
singles_rehash(struct cp_chains *c)
{
	size_t had = c->singles != NULL ? (size_t)c->single_mask + 1 : 0;
	size_t slots = had != 0 ? had * 2 : 1024;
	struct cp_single_slot *old = c->singles;

	c->singles = cp_xcalloc(slots, sizeof(*c->singles));
	c->single_mask = (uint32_t)(slots - 1);
	for (size_t i = 0; i < had; i++)
		if (old[i].id != 0)
			c->singles[single_at(c, old[i].level, old[i].ip)] =
			    old[i];
	free(old);
}

uint32_t
cp_chains_single(struct cp_chains *c, enum cp_level level, uint64_t ip)
{
	struct cp_single_slot *slot;

	if (CP_UNLIKELY(
		c->singles == NULL || c->n_singles > c->single_mask / 4 * 3))
		singles_rehash(c);
	slot = &c->singles[single_at(c, level, ip)];
	if (CP_LIKELY(slot->id != 0))
		return slot->id;
	*cp_vec_push(&c->all) = (struct cp_chain){ .leaf = ip,
		.level = (uint8_t)level,
		.kernel = level == CP_LEVEL_KERNEL };
	*slot = (struct cp_single_slot){ ip, (uint32_t)c->all.len - 1, level };
	c->n_singles++;
	return slot->id;
}

/* True if the sample's ip is the leaf, whatever the chain begins with. */
static inline bool
leaf_is_exact(uint64_t ip, uint16_t misc)
{
	enum cp_level level = misc & CP_MISC_CPUMODE;

	return CP_UNLIKELY((misc & CP_MISC_EXACT_IP) != 0) && ip != 0 &&
	       (level == CP_LEVEL_USER || level == CP_LEVEL_KERNEL);
}

uint32_t
cp_chains_leaf(struct cp_chains *c, const uint64_t *ips, uint64_t nr,
    uint64_t ip, uint16_t misc)
{
	enum cp_level level = misc & CP_MISC_CPUMODE;
	uint64_t i = 0;

	if (leaf_is_exact(ip, misc))
		return cp_chains_single(c, level, ip);
	/* The usual form: a marker, then the address. */
	if (CP_LIKELY(nr >= 2 && ips[1] < CP_CONTEXT_MAX &&
		      cp_marker_level(ips[0], &level)))
		return cp_chains_single(c, level, ips[1]);
	while (i < nr && ips[i] >= CP_CONTEXT_MAX)
		if (!cp_marker_level(ips[i++], &level))
			level = CP_LEVEL_GUEST_USER;
	if (i < nr)
		return cp_chains_single(c, level, ips[i]);
	/* The kernel also writes markers of empty parts, as in a guest. */
	if ((misc & CP_MISC_CPUMODE) != CP_LEVEL_UNKNOWN)
		level = misc & CP_MISC_CPUMODE;
	return cp_chains_single(c, level, ip);
}

/* ---------------------------------------------------------- exact leaves */

/* A part of a chain: a run of markers and the addresses after it. */
struct part {
	size_t markers, from, end;
	enum cp_level level;
};

/* Finds the part that begins at word i.  False: no such part. */
static bool
part_at(const uint64_t *ips, size_t nr, size_t i, struct part *p)
{
	*p = (struct part){ .markers = i, .level = CP_LEVEL_USER };
	while (i < nr && ips[i] >= CP_CONTEXT_MAX)
		if (!cp_marker_level(ips[i++], &p->level))
			return false;
	p->from = i;
	while (i < nr && ips[i] < CP_CONTEXT_MAX)
		i++;
	p->end = i;
	return p->from < i;
}

static size_t
append(uint64_t *out, size_t n, const uint64_t *words, size_t count)
{
	memcpy(out + n, words, count * sizeof(*out));
	return n + count;
}

/* Replaces the part's innermost address with ip. */
static size_t
replace_leaf(uint64_t *out, const uint64_t *ips, size_t nr,
    const struct part *p, uint64_t ip)
{
	size_t n = append(out, 0, ips + p->markers, p->from - p->markers);

	if (n == 0)
		/* what perf assumes without a marker */
		out[n++] = CP_CONTEXT_USER;
	out[n++] = ip;
	return append(out, n, ips + p->from + 1, nr - p->from - 1);
}

/*
 * The exact ip replaces the first address of its level.  If ip is in user code
 * and the interrupt came in the kernel, the kernel part is dropped: it did not
 * call ip.  If ip is in the kernel and the interrupt came in user code, the
 * whole chain is kept as the callers of ip.
 */
size_t
cp_exact_chain(
    uint64_t *out, const uint64_t *ips, size_t nr, uint64_t ip, uint16_t misc)
{
	enum cp_level level = misc & CP_MISC_CPUMODE;
	bool kernel = level == CP_LEVEL_KERNEL;
	struct part p;

	if ((!kernel && level != CP_LEVEL_USER) || !part_at(ips, nr, 0, &p))
		return 0;
	out[0] = kernel ? CP_CONTEXT_KERNEL : CP_CONTEXT_USER;
	out[1] = ip;
	if (kernel && p.level == CP_LEVEL_USER)
		return append(out, 2, ips, nr);
	if (!kernel && p.level == CP_LEVEL_KERNEL && p.end == nr)
		return 2;
	if (!kernel && p.level == CP_LEVEL_KERNEL &&
	    !part_at(ips, nr, p.end, &p))
		return 0;
	return p.level == level ? replace_leaf(out, ips, nr, &p, ip) : 0;
}
