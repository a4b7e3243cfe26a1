/* SPDX-License-Identifier: MIT */
/*
 * resolve: a recorded chain in an address space -> a stack.
 *
 * Each distinct (generation, chain) is resolved once; after that it is one
 * look-up in an array.  Addresses in no mapping stay frames without an object.
 */
#include "model/session.h"

#include "base/limits.h"

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

static cp_stack_id
callers_stack(struct cp_session *s, struct cp_process *p, uint32_t id)
{
	const struct cp_callers *c = &s->chains.callers.data[id];
	CP_VEC(cp_frame_id) frames = { 0 };
	enum cp_level level = CP_LEVEL_USER;
	uint8_t flags = CP_FRAME_CALLER;
	cp_stack_id stack = 0;

	(void)cp_marker_level(c->words[0], &level);
	for (uint32_t i = 1; i < c->n; i++) {
		if (c->words[i] < CP_CONTEXT_MAX) {
			*cp_vec_push(&frames) = cp_session_frame(
			    s, p, level, c->words[i], flags);
			flags = CP_FRAME_CALLER;
		} else {
			(void)cp_marker_level(c->words[i], &level);
			flags = 0; /* where the user entered the kernel */
		}
	}
	for (size_t i = frames.len; i-- > 0;)
		stack = cp_stacks_push(&s->stacks, stack, frames.data[i]);
	cp_vec_free(&frames);
	return stack;
}

static cp_stack_id
resolve(struct cp_session *s, struct cp_process *p, uint32_t generation,
    const struct cp_chain *c)
{
	uint64_t key = (uint64_t)generation << 32 | c->callers;
	cp_stack_id callers = 0;
	cp_frame_id leaf;

	if (c->callers != 0 && !c->guest) {
		callers = cp_map64_get(&s->callers, key);
		if (callers == 0) {
			if (s->callers.len >= CP_MAX_ANSWERS)
				cp_map64_free(&s->callers);
			callers = callers_stack(s, p, c->callers) + 1;
			*cp_map64_put(&s->callers, key) = callers;
		}
		callers--;
	}
	leaf = cp_session_frame(s, p, c->level, c->leaf, 0);
	return cp_stacks_push(&s->stacks, callers, leaf);
}

/* The new image runs once a user sample falls into one of its mappings. */
static void
new_image(struct cp_session *s, struct cp_aspace *a,
    const struct cp_queued *q)
{
	const struct cp_chain *c = &s->chains.all.data[q->chain];

	if ((q->misc & CP_MISC_CPUMODE) != CP_LEVEL_USER ||
	    cp_aspace_find(a, c->leaf) == NULL)
		return;
	cp_aspace_forget(a);
	a->generation = ++s->generations;
	a->missed = false;
}

/* Not the last answer: an older one, which then is kept aside, or new. */
static void
other_generation(struct cp_session *s, struct cp_process *p, uint32_t chain,
    uint32_t generation)
{
	struct cp_chain *c = &s->chains.all.data[chain];
	cp_stack_id stack = 0;
	cp_frame_id leaf;

	if (s->older.len >= CP_MAX_ANSWERS)
		cp_map64_free(&s->older);
	if (c->generation != 0) {
		*cp_map64_put(&s->older,
		    (uint64_t)c->generation << 32 | chain) = c->stack;
		stack = cp_map64_get(
		    &s->older, (uint64_t)generation << 32 | chain);
	}
	c->stack = stack != 0 ? stack : resolve(s, p, generation, c);
	c->generation = generation;
	leaf = s->stacks.nodes.data[c->stack].frame;
	c->unmapped = s->stacks.frames.data[leaf].dso == 0;
}

/*
 * Chains that never leave the kernel mean the same in every process: they
 * are kept under the kernel's generation, in the upper half of the numbers.
 */
cp_stack_id
cp_session_stack(struct cp_session *s, struct cp_process *p,
    const struct cp_queued *q)
{
	const struct cp_chain *c = &s->chains.all.data[q->chain];
	struct cp_aspace *a = current_space(s, p);
	uint32_t generation;

	if (CP_UNLIKELY(a->old != NULL))
		new_image(s, a, q);
	generation = c->kernel ? s->kernel_generation | 1u << 31
			       : a->generation;
	if (CP_LIKELY(c->generation == generation))
		return c->stack;
	if (CP_UNLIKELY(c->guest))
		cp_diag_at(s->diags, CP_D_GUEST, q->offset, NULL);
	other_generation(s, p, q->chain, generation);
	return c->stack;
}
