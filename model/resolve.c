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

static struct cp_resolved *
last_answer(struct cp_session *s, uint32_t chain)
{
	while (CP_UNLIKELY(s->resolved.len <= chain)) {
		size_t had = s->resolved.len, n = s->chains.all.len;

		cp_vec_reserve(&s->resolved, n);
		memset(s->resolved.data + had, 0,
		    (n - had) * sizeof(*s->resolved.data));
		s->resolved.len = n;
	}
	return &s->resolved.data[chain];
}

/* Not the last answer: an older one, which then is kept aside, or new. */
static cp_stack_id
other_generation(struct cp_session *s, struct cp_process *p, uint32_t chain,
    uint32_t generation, const struct cp_resolved *last)
{
	cp_stack_id stack = 0;

	if (s->older.len >= CP_MAX_ANSWERS)
		cp_map64_free(&s->older);
	if (last->generation != 0) {
		*cp_map64_put(&s->older,
		    (uint64_t)last->generation << 32 | chain) = last->stack;
		stack = cp_map64_get(
		    &s->older, (uint64_t)generation << 32 | chain);
	}
	return stack != 0 ? stack
			  : resolve(s, p, generation,
				&s->chains.all.data[chain]);
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
	struct cp_resolved *last = last_answer(s, q->chain);
	uint32_t generation;

	if (CP_UNLIKELY(a->old != NULL))
		new_image(s, a, q);
	generation = c->kernel ? s->kernel_generation | 1u << 31
			       : a->generation;
	if (CP_LIKELY(last->generation == generation))
		return last->stack;
	if (CP_UNLIKELY(c->guest))
		cp_diag_at(s->diags, CP_D_GUEST, q->offset, NULL);
	*last = (struct cp_resolved) { generation,
		other_generation(s, p, q->chain, generation, last) };
	return last->stack;
}
