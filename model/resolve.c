/* SPDX-License-Identifier: MIT */
/*
 * resolve: turns a recorded chain and an address space into a stack.
 *
 * Each distinct (generation, chain) is resolved once; after that it is one
 * look-up in an array.  A sampled address in no mapping becomes a frame without
 * an object.  What a chain has for callers in no code, words of the stack
 * mostly, is one frame.
 */
#include "model/session-state.h"

#include "base/limits.h"
#include "model/script-names.h"

/* Returns the mappings of a process with an up-to-date generation. */
struct cp_aspace *
cp_session_space(struct cp_session *s, struct cp_process *p)
{
	struct cp_aspace *a;

	if (CP_UNLIKELY(p != NULL && p->heir))
		cp_session_inherit(s, p);
	a = p != NULL ? p->aspace : s->no_process;
	if (CP_UNLIKELY(a->kernel_generation != s->kernel_generation)) {
		a->kernel_generation = s->kernel_generation;
		cp_aspace_renew(a, ++s->generations);
	}
	return a;
}

/* Goes before the mappings: a dump also describes code in mapped files. */
static bool
jit_frame(struct cp_process *p, struct cp_frame *f)
{
	struct cp_jit *j = p->jit;
	const struct cp_jit_load *l = cp_jit_search(&j, f->addr);

	if (l == NULL)
		return false;
	f->addr = l->offset + (f->addr - l->start);
	f->dso = j->dso->pub.id;
	return true;
}

/* Finds the object that the address is in. */
static struct cp_frame
locate(struct cp_session *s, struct cp_process *p, enum cp_level level,
    uint64_t ip, uint8_t flags)
{
	struct cp_frame f = {
		.addr = ip, .level = (uint8_t)level, .flags = flags
	};
	struct cp_aspace *a = NULL;
	const struct cp_map *m;

	if (level == CP_LEVEL_KERNEL)
		a = s->kernel;
	else if (level == CP_LEVEL_USER)
		a = p != NULL ? p->aspace : s->no_process;
	else if (level == CP_LEVEL_GUEST_KERNEL)
		a = cp_session_guest(s, p);
	if (a == NULL || (level == CP_LEVEL_USER && p != NULL &&
			     p->jit != NULL && jit_frame(p, &f)))
		return f;
	m = cp_aspace_ask(a, ip);
	if (level == CP_LEVEL_USER && (flags & CP_FRAME_CALLER) != 0 &&
	    a->maps.len != 0 && (m == NULL || !m->code) && !s->as_recorded) {
		f.addr = cp_no_code(ip);
	} else if (m != NULL) {
		f.addr = ip + m->delta;
		f.dso = m->dso;
	}
	if (CP_UNLIKELY(s->script != NULL) && f.dso != 0)
		cp_script_names_meet(s->script, &s->dsos, ip, &f);
	return f;
}

cp_frame_id
cp_session_frame(struct cp_session *s, struct cp_process *p,
    enum cp_level level, uint64_t ip, uint8_t flags)
{
	struct cp_frame f = locate(s, p, level, ip, flags);

	return cp_stacks_frame(&s->stacks, &f);
}

/* Flags of the frames after a marker. */
static uint8_t
caller_flags(uint64_t marker)
{
	switch (marker) {
	case CP_CONTEXT_USER_UNWOUND: return 0;
	case CP_CONTEXT_USER_GUESSED: return CP_FRAME_GUESSED;
	case CP_CONTEXT_USER_SCANNED:
		return CP_FRAME_GUESSED | CP_FRAME_SCANNED;
	case CP_CONTEXT_USER_EDGE: return CP_FRAME_GUESSED | CP_FRAME_EDGE;
	default: return CP_FRAME_CALLER;
	}
}

/* Properties of the words after a marker. */
struct kind {
	enum cp_level level;
	uint8_t usual; /* CP_FRAME_* flags */
	uint32_t from; /* index of the first word with these flags */
};

static void
kind_change(struct kind *k, const uint64_t *words, uint32_t at)
{
	enum cp_level before = k->level;

	(void)cp_marker_level(words[at], &k->level);
	k->usual = caller_flags(words[at]);
	k->from = at + 1;
	/*
	 * The first user frame below a kernel part is exact: the kernel entry.
	 */
	if (at != 0 && k->level != before && (k->usual & CP_FRAME_CALLER))
		k->from++;
}

/* Frames whose ids are looked up at once. */
struct batch {
	struct cp_frame frame[CP_STACKS_FRAMES];
	uint32_t at[CP_STACKS_FRAMES]; /* which words they are of */
	uint32_t n;
};

static void
batch_find(struct cp_session *s, struct batch *b, uint64_t *frames)
{
	cp_frame_id ids[CP_STACKS_FRAMES];

	cp_stacks_frames(&s->stacks, b->frame, b->n, ids);
	for (uint32_t i = 0; i < b->n; i++)
		frames[b->at[i]] = ids[i];
	b->n = 0;
}

/*
 * Finds frames[i] for words[i]; 0 for a marker.  words[0] is a marker.  Returns
 * the index of the user frame that entered the kernel; 0: none.
 */
static uint32_t
frames_find(struct cp_session *s, struct cp_process *p, const uint64_t *words,
    uint32_t n, uint64_t *frames)
{
	struct kind k = { .level = CP_LEVEL_USER };
	uint32_t entry = 0;
	struct batch b;

	b.n = 0;
	kind_change(&k, words, 0);
	for (uint32_t i = 1; i < n; i++) {
		uint8_t flags =
		    i >= k.from ? k.usual : k.usual & (uint8_t)~CP_FRAME_CALLER;

		if (words[i] >= CP_CONTEXT_MAX) {
			frames[i] = 0;
			kind_change(&k, words, i);
			if (words[i] == CP_CONTEXT_USER && k.from == i + 2)
				entry = i + 1;
			continue;
		}
		b.at[b.n] = i;
		b.frame[b.n++] = locate(s, p, k.level, words[i], flags);
		if (b.n == CP_STACKS_FRAMES)
			batch_find(s, &b, frames);
	}
	batch_find(s, &b, frames);
	return entry < n ? entry : 0;
}

/* The stack of n words, the first a marker, on that of their callers. */
static cp_stack_id
callers_stack(struct cp_session *s, struct cp_process *p, const uint64_t *words,
    uint32_t n, bool whole, cp_stack_id outer)
{
	uint64_t *frames = s->chains.scratch;
	uint32_t entry = frames_find(s, p, words, n, frames);
	cp_frame_id between = 0;

	if (entry != 0 && !whole &&
	    (entry + 1 == n || words[entry + 1] < CP_CONTEXT_MAX))
		between = cp_session_between(s, (cp_frame_id)frames[entry],
		    entry + 1 < n ? (cp_frame_id)frames[entry + 1]
				  : s->stacks.nodes.data[outer].frame);
	if (between != 0) {
		/* The marker's place is free. */
		frames[entry - 1] = frames[entry];
		frames[entry] = between;
	}
	return cp_stacks_push_callers(&s->stacks, outer, frames, n);
}

static bool
is_unmapped(const struct cp_session *s, cp_frame_id leaf)
{
	return leaf != 0 && leaf != s->stacks.deeper &&
	       s->stacks.frames.data[leaf].dso == 0;
}

void
cp_session_resolve(struct cp_session *s, struct cp_process *p, uint64_t *words,
    size_t n, struct cp_early *out)
{
	enum cp_level level = CP_LEVEL_USER;
	uint64_t leaf = words[1];
	cp_stack_id callers;
	cp_frame_id frame;

	(void)cp_marker_level(words[0], &level);
	words[1] = words[0]; /* the callers begin with the same marker */
	callers = callers_stack(s, p, words + 1, (uint32_t)n - 1, true, 0);
	frame = cp_session_frame(s, p, level, leaf, 0);
	out->stack = cp_stacks_push(&s->stacks, callers, frame);
	out->unmapped = is_unmapped(s, frame);
}

/* The stack of callers whose own callers have one. */
static cp_stack_id
part_stack(struct cp_session *s, struct cp_process *p, uint32_t generation,
    uint32_t id, bool whole, cp_stack_id outer)
{
	struct cp_callers *w = &s->chains.callers.data[id];
	cp_stack_id stack = 0;

	if (w->generation != 0) {
		if (s->callers.len >= CP_MAX_ANSWERS)
			cp_map64_free(&s->callers);
		*cp_map64_put(&s->callers, (uint64_t)w->generation << 32 | id) =
		    w->stack + 1;
		stack =
		    cp_map64_get(&s->callers, (uint64_t)generation << 32 | id);
	}
	w->stack = stack != 0
		       ? stack - 1
		       : callers_stack(s, p, w->words, w->n, whole, outer);
	w->generation = generation;
	return w->stack;
}

/* The stack of the chain's callers. */
static cp_stack_id
callers_of(struct cp_session *s, struct cp_process *p, uint32_t generation,
    const struct cp_chain *c)
{
	const struct cp_callers *all = s->chains.callers.data;
	uint32_t part[CP_MAX_CHAIN / CP_CALLERS_PART + 1], n = 0, id;
	cp_stack_id stack = 0;

	if (c->guest)
		return 0;
	for (id = c->callers; id != 0 && all[id].generation != generation;
	     id = all[id].outer)
		part[n++] = id;
	if (id != 0)
		stack = all[id].stack;
	while (n != 0)
		stack =
		    part_stack(s, p, generation, part[--n], c->whole, stack);
	return stack;
}

static cp_stack_id
resolve(struct cp_session *s, struct cp_process *p, uint32_t generation,
    const struct cp_chain *c)
{
	const struct cp_callers *w = &s->chains.callers.data[c->callers];
	cp_stack_id callers = callers_of(s, p, generation, c);
	cp_frame_id leaf = cp_session_frame(s, p, c->level, c->leaf, 0);
	cp_frame_id between = 0;

	if (c->callers != 0 && w->words[0] == CP_CONTEXT_USER && !c->guest &&
	    !c->whole && (w->n == 1 || w->words[1] < CP_CONTEXT_MAX))
		between = cp_session_between(
		    s, leaf, s->stacks.nodes.data[callers].frame);
	if (between != 0)
		callers = cp_stacks_push(&s->stacks, callers, between);
	return cp_stacks_push(&s->stacks, callers, leaf);
}

/* Drops the old image once a user sample is in the new image's mappings. */
static void
new_image(struct cp_session *s, struct cp_aspace *a, const struct cp_queued *q)
{
	const struct cp_chain *c = &s->chains.all.data[s->chain];

	if ((q->misc & CP_MISC_CPUMODE) != CP_LEVEL_USER ||
	    cp_aspace_find(a, c->leaf) == NULL)
		return;
	cp_aspace_forget(a);
	cp_aspace_renew(a, ++s->generations);
}

/*
 * Sets the chain's answer for another generation: one from the cache, or
 * resolved anew.  The answer it had goes to the cache.
 */
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
		stack =
		    cp_map64_get(&s->older, (uint64_t)generation << 32 | chain);
	}
	c->stack = stack != 0 ? stack : resolve(s, p, generation, c);
	c->generation = generation;
	leaf = s->stacks.nodes.data[c->stack].frame;
	c->unmapped = is_unmapped(s, leaf);
	if (s->caller != NULL)
		c->lost =
		    s->stacks.frames.data[cp_stacks_lost(&s->stacks, c->stack)]
			.flags;
}

cp_stack_id
cp_session_stack_(
    struct cp_session *s, struct cp_process *p, const struct cp_queued *q)
{
	const struct cp_chain *c = &s->chains.all.data[s->chain];
	struct cp_aspace *a = cp_session_space(s, p);
	uint32_t generation;

	if (CP_UNLIKELY(a->old != NULL))
		new_image(s, a, q);
	generation =
	    c->kernel ? s->kernel_generation | 1u << 31 : a->generation;
	if (CP_LIKELY(c->generation == generation))
		return c->stack;
	if (CP_UNLIKELY(c->guest))
		cp_diag_at(s->diags, CP_D_GUEST, q->offset, NULL);
	other_generation(s, p, s->chain, generation);
	return c->stack;
}
