/* SPDX-License-Identifier: MIT */
/*
 * resolve: a recorded chain in an address space -> a stack.
 *
 * Each distinct (generation, chain) is resolved once; after that it is one
 * look-up in an array.  Addresses in no mapping stay frames without an object.
 */
#include "model/session.h"

#include "base/limits.h"

/* The mappings of a process, whose generation is that of now. */
struct cp_aspace *
cp_session_space(struct cp_session *s, struct cp_process *p)
{
	struct cp_aspace *a = p != NULL ? p->aspace : s->nobody;

	if (CP_UNLIKELY(a->kernel_generation != s->kernel_generation)) {
		a->kernel_generation = s->kernel_generation;
		cp_aspace_renew(a, ++s->generations);
	}
	return a;
}

/* Before the mappings: a dump describes parts of files too. */
static bool
jit_frame(struct cp_process *p, struct cp_frame *f)
{
	const struct cp_jit_load *l = cp_jit_find(p->jit, f->addr);

	if (l == NULL)
		return false;
	f->addr = l->offset + (f->addr - l->start);
	f->dso = p->jit->dso->pub.id;
	return true;
}

static cp_frame_id
frame_find(struct cp_session *s, struct cp_process *p, enum cp_level level,
    uint64_t ip, uint8_t flags)
{
	struct cp_frame f = { .addr = ip, .level = (uint8_t)level,
		.flags = flags };
	struct cp_aspace *a = NULL;
	const struct cp_map *m;

	if (level == CP_LEVEL_KERNEL)
		a = s->kernel;
	else if (level == CP_LEVEL_USER)
		a = p != NULL ? p->aspace : s->nobody;
	else if (level == CP_LEVEL_GUEST_KERNEL)
		a = cp_session_guest(s, p);
	if (level == CP_LEVEL_USER && p != NULL && p->jit != NULL &&
	    jit_frame(p, &f)) {
		;
	} else if (a != NULL) {
		m = cp_aspace_ask(a, ip);
		if (m != NULL) {
			f.addr = ip + m->delta;
			f.dso = m->dso;
		}
	}
	return cp_stacks_frame(&s->stacks, &f);
}

/*
 * Distinct chains are made of few distinct addresses.  An answer holds as
 * long as its generation; those that depend on the moment are not kept.
 */
cp_frame_id
cp_session_frame(struct cp_session *s, struct cp_process *p,
    enum cp_level level, uint64_t ip, uint8_t flags)
{
	const struct cp_aspace *a = p != NULL ? p->aspace : s->nobody;
	uint32_t generation = level == CP_LEVEL_KERNEL
	    ? s->kernel_generation | 1u << 31
	    : a->generation;
	struct cp_frame_answer *kept;

	if ((level != CP_LEVEL_USER && level != CP_LEVEL_KERNEL) ||
	    (level == CP_LEVEL_USER &&
		((p != NULL && p->jit != NULL) || a->old != NULL)))
		return frame_find(s, p, level, ip, flags);
	kept = &s->frames[cp_mix(ip, generation + flags) % CP_FRAME_ANSWERS];
	if (CP_LIKELY(kept->frame != 0 && kept->ip == ip &&
		kept->generation == generation && kept->flags == flags))
		return kept->frame;
	*kept = (struct cp_frame_answer) { ip, generation,
		frame_find(s, p, level, ip, flags), flags };
	return kept->frame;
}

/* What the addresses behind a marker are. */
static uint8_t
caller_flags(uint64_t marker)
{
	switch (marker) {
	case CP_CONTEXT_USER_UNWOUND: return 0;
	case CP_CONTEXT_USER_GUESSED: return CP_FRAME_GUESSED;
	default: return CP_FRAME_CALLER;
	}
}

static cp_stack_id
callers_stack(struct cp_session *s, struct cp_process *p, uint32_t id)
{
	const struct cp_callers *c = &s->chains.callers.data[id];
	uint64_t *frames = s->chains.scratch;
	size_t n = 0;
	enum cp_level level = CP_LEVEL_USER;
	uint8_t usual = caller_flags(c->words[0]), flags = usual;
	cp_stack_id stack = 0;

	(void)cp_marker_level(c->words[0], &level);
	for (uint32_t i = 1; i < c->n; i++) {
		if (c->words[i] < CP_CONTEXT_MAX) {
			frames[n++] = cp_session_frame(
			    s, p, level, c->words[i], flags);
			flags = usual;
		} else {
			(void)cp_marker_level(c->words[i], &level);
			usual = caller_flags(c->words[i]);
			/* Where the user entered the kernel. */
			flags = usual & (uint8_t)~CP_FRAME_CALLER;
		}
	}
	while (n > 0)
		stack = cp_stacks_push(
		    &s->stacks, stack, (cp_frame_id)frames[--n]);
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
	const struct cp_chain *c = &s->chains.all.data[s->chain];

	if ((q->misc & CP_MISC_CPUMODE) != CP_LEVEL_USER ||
	    cp_aspace_find(a, c->leaf) == NULL)
		return;
	cp_aspace_forget(a);
	cp_aspace_renew(a, ++s->generations);
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

cp_stack_id
cp_session_stack_(struct cp_session *s, struct cp_process *p,
    const struct cp_queued *q)
{
	const struct cp_chain *c = &s->chains.all.data[s->chain];
	struct cp_aspace *a = cp_session_space(s, p);
	uint32_t generation;

	if (CP_UNLIKELY(a->old != NULL))
		new_image(s, a, q);
	generation = c->kernel ? s->kernel_generation | 1u << 31
			       : a->generation;
	if (CP_LIKELY(c->generation == generation))
		return c->stack;
	if (CP_UNLIKELY(c->guest))
		cp_diag_at(s->diags, CP_D_GUEST, q->offset, NULL);
	other_generation(s, p, s->chain, generation);
	return c->stack;
}
