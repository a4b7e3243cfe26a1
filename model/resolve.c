/* SPDX-License-Identifier: MIT */
/*
 * resolve: a recorded chain in an address space -> a stack.
 *
 * Each distinct (generation, callers, leaf) is resolved once; after that it
 * is one look-up.  Addresses in no mapping stay frames without an object.
 */
#include "model/session.h"

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

static struct cp_aspace *
current_space(struct cp_session *s, struct cp_process *p)
{
	struct cp_aspace *a = p != NULL ? p->aspace : s->nobody;

	if (CP_UNLIKELY(a->kernel_generation != s->kernel_generation)) {
		a->kernel_generation = s->kernel_generation;
		a->generation = ++s->generations;
		a->missed = false;
	}
	return a;
}

cp_frame_id
cp_session_frame(struct cp_session *s, struct cp_process *p,
    enum cp_level level, uint64_t ip, uint8_t flags)
{
	struct cp_frame f = { .addr = ip, .level = (uint8_t)level,
		.flags = flags };
	struct cp_aspace *a = NULL;
	const struct cp_map *m;

	if (level == CP_LEVEL_KERNEL)
		a = s->kernel;
	else if (level == CP_LEVEL_USER)
		a = p != NULL ? p->aspace : s->nobody;
	if (a != NULL) {
		m = cp_aspace_find(a, ip);
		a->missed |= m == NULL;
		if (m == NULL && a->old != NULL)
			m = cp_aspace_find(a->old, ip);
		if (m != NULL) {
			f.addr = ip + m->delta;
			f.dso = m->dso;
		}
	}
	return cp_stacks_frame(&s->stacks, &f);
}

/* The callers' stack; false: the chain is of a guest. */
static bool
callers_stack(struct cp_session *s, struct cp_process *p, uint32_t id,
    cp_stack_id *out)
{
	const struct cp_chain *c = &s->chains.all.data[id];
	CP_VEC(cp_frame_id) frames = { 0 };
	enum cp_level level;
	bool good = cp_marker_level(c->words[0], &level);
	uint8_t flags = CP_FRAME_CALLER;

	for (uint32_t i = 1; i < c->n && good; i++) {
		if (c->words[i] < CP_CONTEXT_MAX) {
			*cp_vec_push(&frames) = cp_session_frame(
			    s, p, level, c->words[i], flags);
			flags = CP_FRAME_CALLER;
		} else {
			good = cp_marker_level(c->words[i], &level);
			flags = 0; /* where the user entered the kernel */
		}
	}
	*out = 0;
	for (size_t i = frames.len; i-- > 0 && good;)
		*out = cp_stacks_push(&s->stacks, *out, frames.data[i]);
	cp_vec_free(&frames);
	return good;
}

static cp_stack_id
resolve(struct cp_session *s, struct cp_process *p, uint32_t generation,
    const struct cp_queued *q, enum cp_level level)
{
	cp_stack_id callers = 0;
	cp_frame_id leaf;
	uint32_t *known;

	if (q->callers != 0 && s->want_stacks) {
		uint64_t key = (uint64_t)generation << 32 | q->callers;

		callers = cp_map64_get(&s->callers, key);
		if (callers != 0) {
			callers--;
		} else if (callers_stack(s, p, q->callers, &callers)) {
			known = cp_map64_put(&s->callers, key);
			*known = callers + 1;
		} else {
			cp_diag_at(s->diags, CP_D_GUEST, q->offset, NULL);
			callers = 0;
		}
	}
	leaf = cp_session_frame(s, p, level, q->leaf, 0);
	return cp_stacks_push(&s->stacks, callers, leaf);
}

/* ------------------------------------------------------------------ cache */

static uint64_t
resolved_hash(uint64_t leaf, uint32_t callers, uint32_t generation)
{
	return cp_mix(leaf, (uint64_t)generation << 32 | callers);
}

static void
cache_grow(struct cp_resolve_cache *c)
{
	size_t slots = c->slots != NULL ? ((size_t)c->mask + 1) * 2 : 1024;
	struct cp_resolve_cache n = { .mask = (uint32_t)(slots - 1),
		.len = c->len };

	n.slots = cp_xcalloc(slots, sizeof(*n.slots));
	for (size_t i = 0; c->slots != NULL && i <= c->mask; i++) {
		const struct cp_resolved *r = &c->slots[i];
		uint32_t at = (uint32_t)resolved_hash(r->leaf, r->callers,
				  r->generation) & n.mask;

		if (r->stack == 0)
			continue;
		while (n.slots[at].stack != 0)
			at = (at + 1) & n.mask;
		n.slots[at] = *r;
	}
	free(c->slots);
	*c = n;
}

/* The slot of the key; stack 0 if it is new. */
static struct cp_resolved *
cache_slot(struct cp_resolve_cache *c, const struct cp_queued *q,
    uint32_t generation, enum cp_level level)
{
	struct cp_resolved *r;
	uint32_t i;

	if (c->slots == NULL || c->len > c->mask / 2)
		cache_grow(c);
	i = (uint32_t)resolved_hash(q->leaf, q->callers, generation);
	for (;; i++) {
		r = &c->slots[i & c->mask];
		if (r->stack == 0 ||
		    (r->leaf == q->leaf && r->callers == q->callers &&
			r->generation == generation && r->level == level))
			return r;
	}
}

/* The new image runs once a user sample falls into one of its mappings. */
static void
new_image(struct cp_session *s, struct cp_aspace *a,
    const struct cp_queued *q)
{
	if ((q->misc & CP_MISC_CPUMODE) != CP_LEVEL_USER ||
	    cp_aspace_find(a, q->leaf) == NULL)
		return;
	cp_aspace_forget(a);
	a->generation = ++s->generations;
	a->missed = false;
}

cp_stack_id
cp_session_stack(struct cp_session *s, struct cp_process *p,
    const struct cp_queued *q)
{
	struct cp_aspace *a = current_space(s, p);
	enum cp_level level = q->misc & CP_MISC_CPUMODE;
	struct cp_resolved *r;
	cp_stack_id stack;

	if (CP_UNLIKELY(a->old != NULL))
		new_image(s, a, q);
	if (q->callers != 0 &&
	    !cp_marker_level(
		s->chains.all.data[q->callers].words[0], &level))
		level = CP_LEVEL_GUEST_USER;
	r = cache_slot(&s->resolved, q, a->generation, level);
	if (CP_LIKELY(r->stack != 0))
		return r->stack;
	stack = resolve(s, p, a->generation, q, level);
	*r = (struct cp_resolved) { .leaf = q->leaf, .callers = q->callers,
		.generation = a->generation, .level = (uint8_t)level,
		.stack = stack };
	s->resolved.len++;
	return stack;
}
