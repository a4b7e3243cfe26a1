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
	struct cp_frame f = {
		.addr = ip, .level = (uint8_t)level, .flags = flags
	};
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

/* Is the highest byte the same whatever the address? */
static inline bool
leaves_room(uint64_t ip)
{
	return ip + (UINT64_C(1) << 56) < UINT64_C(1) << 57;
}

/*
 * As long as that number is the same so is what an address is; 0: not so, or
 * it is not kept.
 */
static uint32_t
holds_for(
    const struct cp_session *s, const struct cp_process *p, enum cp_level level)
{
	const struct cp_aspace *a = p != NULL ? p->aspace : s->nobody;

	if (CP_UNLIKELY(s->frames == NULL))
		return 0;
	if (level == CP_LEVEL_KERNEL)
		return s->kernel_generation | 1u << 31;
	if (level != CP_LEVEL_USER || (p != NULL && p->jit != NULL) ||
	    a->old != NULL)
		return 0;
	return a->generation;
}

/*
 * Distinct chains are made of few distinct addresses.  An answer holds as
 * long as its generation; those that depend on the moment are not kept.
 */
static inline cp_frame_id
frame_by(struct cp_session *s, struct cp_process *p, enum cp_level level,
    uint64_t ip, uint8_t flags, uint32_t generation)
{
	const uint64_t key = ip ^ (uint64_t)flags << 56;
	struct cp_frame_answer *kept;

	if (CP_UNLIKELY(generation == 0 || !leaves_room(ip)))
		return frame_find(s, p, level, ip, flags);
	kept = &s->frames[cp_mix(key, generation) % CP_FRAME_ANSWERS];
	if (CP_LIKELY(kept->key == key && kept->generation == generation))
		return kept->frame;
	*kept = (struct cp_frame_answer){ key, generation,
		frame_find(s, p, level, ip, flags) };
	return kept->frame;
}

cp_frame_id
cp_session_frame(struct cp_session *s, struct cp_process *p,
    enum cp_level level, uint64_t ip, uint8_t flags)
{
	return frame_by(s, p, level, ip, flags, holds_for(s, p, level));
}

/* What the addresses behind a marker are. */
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

/*
 * How many of the outermost words are those of the callers resolved last.
 * Markers are not among them, nor is the word behind one, which has flags of
 * its own.
 */
static uint32_t
same_end(const struct cp_trail *t, const uint64_t *words, uint32_t n)
{
	const uint64_t *a = words + n - 1, *b = t->words.data + t->n - 1;
	uint32_t same = 0, most = CP_MIN(t->n, n);

	while (same + 2 < most && *a == *b && *a < CP_CONTEXT_MAX) {
		same++;
		a--;
		b--;
	}
	if (same != 0 && (*a >= CP_CONTEXT_MAX || *b >= CP_CONTEXT_MAX))
		same--;
	return same;
}

/* Words behind a marker. */
struct kind {
	enum cp_level level;
	uint8_t usual; /* flags */
	uint32_t from; /* the first that has these flags */
};

static void
kind_change(struct kind *k, const uint64_t *words, uint32_t at)
{
	enum cp_level before = k->level;

	(void)cp_marker_level(words[at], &k->level);
	k->usual = caller_flags(words[at]);
	k->from = at + 1;
	/* Where the user entered the kernel. */
	if (at != 0 && k->level != before && (k->usual & CP_FRAME_CALLER))
		k->from++;
}

/* Of the outermost of n words. */
static struct kind
kind_of(const uint64_t *words, uint32_t n)
{
	struct kind k = { .level = CP_LEVEL_USER };

	kind_change(&k, words, 0);
	for (uint32_t i = 1; i < n; i++)
		if (CP_UNLIKELY(words[i] >= CP_CONTEXT_MAX))
			kind_change(&k, words, i);
	return k;
}

/* frames[i] is the one of word i; 0: it is a marker. */
static void
frames_find(struct cp_session *s, struct cp_process *p, const uint64_t *words,
    uint32_t n, uint64_t *frames)
{
	struct kind k = { .level = CP_LEVEL_USER };
	uint32_t generation;

	kind_change(&k, words, 0);
	generation = holds_for(s, p, k.level);
	for (uint32_t i = 1; i < n; i++) {
		uint8_t flags =
		    i >= k.from ? k.usual : k.usual & (uint8_t)~CP_FRAME_CALLER;

		frames[i] = 0;
		if (words[i] < CP_CONTEXT_MAX) {
			frames[i] = frame_by(
			    s, p, k.level, words[i], flags, generation);
		} else {
			kind_change(&k, words, i);
			generation = holds_for(s, p, k.level);
		}
	}
}

/* Room for n words, and the stacks known already where they belong now. */
static void
trail_move(struct cp_trail *t, uint32_t n, uint32_t known)
{
	cp_vec_reserve(&t->nodes, CP_MAX(n, t->n));
	cp_vec_reserve(&t->words, n);
	if (known != 0)
		memmove(t->nodes.data + n - known, t->nodes.data + t->n - known,
		    known * sizeof(*t->nodes.data));
}

static inline struct cp_step *
step_of(const struct cp_session *s, uint64_t word, cp_stack_id parent)
{
	uint64_t h =
	    (word + ((uint64_t)parent << 32)) * UINT64_C(0x9e3779b97f4a7c15);

	return &s->steps[h >> (64 - CP_STEP_BITS)];
}

/*
 * From *stack, which is reached with word n, as far inwards as other stacks
 * have led, and their steps are known; the word it then is reached with.
 */
static uint32_t
steps_take(const struct cp_session *s, const struct kind *k,
    uint32_t generation, const uint64_t *words, uint32_t n, cp_stack_id *stack,
    cp_stack_id *nodes)
{
	cp_stack_id at = *stack;

	while (n > k->from) {
		const struct cp_step *step = step_of(s, words[n - 1], at);

		if (step->word != words[n - 1] || step->parent != at ||
		    step->generation != generation || step->level != k->level ||
		    step->flags != k->usual)
			break;
		at = nodes[--n] = step->node;
	}
	*stack = at;
	return n;
}

/* These words were new, from *stack on. */
static void
steps_keep(struct cp_session *s, const struct kind *k, uint32_t generation,
    const uint64_t *words, uint32_t n, cp_stack_id stack,
    const cp_stack_id *nodes)
{
	while (n-- > k->from) {
		*step_of(s, words[n], stack) =
		    (struct cp_step){ .word = words[n],
			    .generation = generation,
			    .parent = stack,
			    .node = nodes[n],
			    .level = (uint8_t)k->level,
			    .flags = k->usual };
		stack = nodes[n];
	}
}

/*
 * Most stacks share their outer end with the one before of the same process,
 * and what follows with another: that part is neither looked up nor pushed
 * again.
 */
static cp_stack_id
callers_stack(struct cp_session *s, struct cp_process *p, uint32_t generation,
    const uint64_t *words, uint32_t n)
{
	struct cp_trail *t = &s->trails[generation % CP_TRAILS];
	uint32_t known =
		     t->generation == generation ? same_end(t, words, n) : 0,
		 holds, left;
	struct kind k = kind_of(words, n - known);
	uint64_t *frames = s->chains.scratch;
	cp_stack_id stack = 0, outer;

	if (known != 0 && (k.level != t->level || k.usual != t->usual)) {
		known = 0; /* the same addresses of another kind */
		k = kind_of(words, n);
	}
	trail_move(t, n, known);
	if (known != 0)
		stack = t->nodes.data[n - known];
	holds = holds_for(s, p, k.level);
	left = n - known;
	if (holds != 0)
		left = steps_take(
		    s, &k, holds, words, left, &stack, t->nodes.data);
	outer = stack;
	if (left > 1) {
		frames_find(s, p, words, left, frames);
		stack = cp_stacks_push_callers(
		    &s->stacks, stack, frames, left, t->nodes.data);
		if (holds != 0)
			steps_keep(
			    s, &k, holds, words, left, outer, t->nodes.data);
	}
	memcpy(t->words.data, words, n * sizeof(*words));
	t->generation = generation;
	t->n = n;
	t->level = (uint8_t)k.level;
	t->usual = k.usual;
	return stack;
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
	words[1] = words[0]; /* the callers have the same marker */
	callers =
	    callers_stack(s, p, out->generation, words + 1, (uint32_t)n - 1);
	frame = cp_session_frame(s, p, level, leaf, 0);
	out->stack = cp_stacks_push(&s->stacks, callers, frame);
	out->unmapped = s->stacks.frames.data[frame].dso == 0;
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
			callers = callers_stack(s, p, generation,
				      s->chains.callers.data[c->callers].words,
				      s->chains.callers.data[c->callers].n) +
				  1;
			*cp_map64_put(&s->callers, key) = callers;
		}
		callers--;
	}
	leaf = cp_session_frame(s, p, c->level, c->leaf, 0);
	return cp_stacks_push(&s->stacks, callers, leaf);
}

/* The new image runs once a user sample falls into one of its mappings. */
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
		stack =
		    cp_map64_get(&s->older, (uint64_t)generation << 32 | chain);
	}
	c->stack = stack != 0 ? stack : resolve(s, p, generation, c);
	c->generation = generation;
	leaf = s->stacks.nodes.data[c->stack].frame;
	c->unmapped = s->stacks.frames.data[leaf].dso == 0;
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
