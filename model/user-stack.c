/* SPDX-License-Identifier: MIT */
/*
 * user-stack: call chains whose user part is unwound from a copy of the stack,
 * or extended by the link register.
 *
 * The session knows when to unwind and which chain the result extends;
 * session.unwind is the unwinder.  A stack is unwound when its record is read,
 * or else at delivery.  The recorded kernel part stays.  The user part is
 * replaced if the unwound one is longer.
 */
#include "base/bytes.h"
#include "base/limits.h"
#include "model/session-state.h"

/* Copies the words before the user part.  Counts the words of the user part. */
static size_t
kernel_words(
    struct cp_session *s, const struct cp_chain *c, uint64_t *out, size_t *user)
{
	uint32_t have;
	const uint64_t *rest = cp_chains_callers(&s->chains, c, &have);
	size_t n = 0, i = 1;

	*user = 0;
	if (c->level == CP_LEVEL_USER) {
		*user = have > 1 ? have : 1;
		return 0;
	}
	out[n++] = have != 0 ? rest[0] : CP_CONTEXT_KERNEL;
	out[n++] = c->leaf;
	for (; i < have && rest[i] != CP_CONTEXT_USER; i++)
		out[n++] = rest[i];
	if (i < have)
		*user = have - i - 1;
	return n;
}

/* Room for two chains of any length. */
static uint64_t *
room_for_chains(struct cp_session *s)
{
	if (s->unwound == NULL)
		s->unwound =
		    cp_xcalloc(2 * CP_MAX_CHAIN + 4, sizeof(*s->unwound));
	return s->unwound;
}

/* Unwinds into the words after the first `head`.  Returns how many it found. */
static size_t
unwind(struct cp_session *s, struct cp_process *p, const struct cp_event *ev,
    size_t head, struct cp_unwind *u)
{
	const struct cp_ev_sample *sample = &ev->u.sample;
	const struct cp_attr *a = &s->rec->evsels.all.data[ev->evsel]->attr;
	size_t n;

	*u = (struct cp_unwind){ .space = cp_session_space(s, p),
		.jit = p != NULL ? p->jit : NULL,
		.sample = sample,
		.swap = ev->swap,
		.words = s->unwound + head,
		.max = CP_MAX_CHAIN - head, /* up to the longest chain */
		.cut = sample->user_stack_size >= a->stack_user ||
		       sample->user_stack_size == sample->user_stack_granted };
	n = s->unwind(s->unwind_ctx, u);
	if (s->only_code) {
		/*
		 * A table that does not fit, or none, leads to any word of the
		 * stack.
		 */
		for (size_t i = 0; i < n; i++) {
			const struct cp_map *m =
			    cp_aspace_find(u->space, u->words[i]);
			struct cp_jit *j = u->jit;

			if (u->words[i] < CP_CONTEXT_MAX &&
			    (m == NULL || !m->code) &&
			    cp_jit_search(&j, u->words[i]) == NULL)
				u->words[i] = cp_no_code(u->words[i]);
		}
	}
	return n;
}

/* True if the unwound words are more than the recorded ones and our marker. */
static bool
is_more(const struct cp_session *s, size_t n, size_t user)
{
	return n != 0 && (s->unwind_always || n > user + 1 || n > 2);
}

/*
 * Registers are of the interrupt; an exact ip is of the cause.  Sets the leaf.
 */
static void
unwound_exactly(const struct cp_session *s, uint64_t ip, uint16_t misc,
    uint64_t *words, size_t n)
{
	if (!s->as_recorded && (misc & CP_MISC_EXACT_IP) != 0 && ip != 0 &&
	    (misc & CP_MISC_CPUMODE) == CP_LEVEL_USER && n > 1 &&
	    words[0] == CP_CONTEXT_USER_UNWOUND)
		words[1] = ip;
}

/* ------------------------------------------------------------- at delivery */

static bool
can_unwind(const struct cp_session *s, const struct cp_queued *q,
    const struct cp_chain *c)
{
	return s->unwind != NULL && q->event != NULL &&
	       q->event->u.sample.user_regs != NULL &&
	       q->event->u.sample.user_stack != NULL && !c->guest &&
	       (c->level == CP_LEVEL_USER || c->level == CP_LEVEL_KERNEL);
}

uint32_t
cp_session_unwind(struct cp_session *s, struct cp_process *p,
    const struct cp_queued *q, struct cp_sample *out)
{
	const struct cp_chain *c = &s->chains.all.data[q->chain];
	uint64_t *words = room_for_chains(s);
	size_t head, user, n;
	struct cp_unwind u;
	uint32_t id;

	if (!can_unwind(s, q, c))
		return q->chain;
	head = kernel_words(s, c, words, &user);
	if (head >= CP_MAX_CHAIN / 2)
		return q->chain;
	n = unwind(s, p, q->event, head, &u);
	out->unwound = (uint8_t)u.end;
	out->unwound_dso = u.dso;
	if (!is_more(s, n, user))
		return q->chain;
	unwound_exactly(s, q->ip, q->misc, words, head + n);
	id = cp_chains_add(&s->chains, words, head + n);
	return id != 0 ? id : q->chain;
}

/* ------------------------------------------------- when it was unwound before
 */

/* Returns the last address of the walk: of the chain, or of its leaf. */
static uint64_t
last_address(struct cp_session *s, const struct cp_chain *c)
{
	uint32_t have;
	const uint64_t *rest = cp_chains_callers(&s->chains, c, &have);
	uint64_t first = c->level == CP_LEVEL_USER ? c->leaf : 0;
	bool user = c->level == CP_LEVEL_USER, unwound = false;

	if (have == 0)
		return c->leaf;
	unwound = rest[0] == CP_CONTEXT_USER_UNWOUND;
	for (uint32_t i = 1; i < have; i++) {
		uint64_t word = rest[i];

		user |= word == CP_CONTEXT_USER;
		unwound |= word == CP_CONTEXT_USER_UNWOUND;
		if (word < CP_CONTEXT_MAX && (unwound || (user && first == 0)))
			first = word;
	}
	return first;
}

void
cp_session_told_end(struct cp_session *s, struct cp_process *p,
    const struct cp_queued *q, struct cp_sample *out)
{
	const struct cp_chain *c = &s->chains.all.data[q->chain];
	const struct cp_map *m = NULL;

	out->unwound = c->end;
	if (c->end == CP_UNWIND_NO_TABLE)
		m = cp_aspace_find(cp_session_space(s, p), last_address(s, c));
	if (m != NULL)
		out->unwound_dso = m->dso;
}

/*
 * --------------------------------------------------- when the record is read
 */

/*
 * Returns the process of the thread if both are known and no exec is pending.
 */
static struct cp_process *
process_now(const struct cp_session *s, uint32_t pid, uint32_t tid)
{
	uint32_t i = cp_map64_get(&s->threads, tid);
	const struct cp_thread *t = i != 0 ? &s->thread.data[i - 1] : NULL;
	const struct cp_aspace *a;

	if (t == NULL || t->pid != pid || t->process == NULL)
		return NULL;
	a = t->process->aspace;
	return !t->process->heir && a->maps.len != 0 && a->old == NULL &&
		       a->generation != 0 &&
		       a->kernel_generation == s->kernel_generation
		   ? t->process
		   : NULL;
}

/*
 * Copies the words of a chain that is empty or kernel-only.  Returns how many;
 * SIZE_MAX: it is another kind.
 */
static size_t
usual_words(const struct cp_event *ev, uint64_t *out)
{
	const struct cp_ev_sample *s = &ev->u.sample;
	enum cp_level level = ev->misc & CP_MISC_CPUMODE;
	bool exact = (ev->misc & CP_MISC_EXACT_IP) != 0;

	if (s->nr == 0)
		return level == CP_LEVEL_USER ? 0 : SIZE_MAX;
	if (s->nr < 2 || s->nr >= CP_MAX_CHAIN / 2 ||
	    s->ips[0] != CP_CONTEXT_KERNEL)
		return SIZE_MAX;
	for (size_t i = 1; i < s->nr; i++)
		if (s->ips[i] >= CP_CONTEXT_MAX)
			return SIZE_MAX;
	memcpy(out, s->ips, (size_t)s->nr * sizeof(*out));
	if (!exact || s->ip == 0)
		return (size_t)s->nr;
	out[1] = s->ip;
	return level == CP_LEVEL_KERNEL ? (size_t)s->nr : SIZE_MAX;
}

/* Resolves the head + n words, or the recorded chain if that is longer. */
static void
found_early(struct cp_session *s, struct cp_process *p,
    const struct cp_event *ev, size_t head, size_t n, const struct cp_unwind *u,
    struct cp_early *out)
{
	const struct cp_ev_sample *sample = &ev->u.sample;
	uint64_t *words = s->unwound;

	if (!is_more(s, n, head == 0))
		n = 0;
	if (n == 0 && head == 0) { /* nothing unwound: the recorded chain */
		words[n++] = CP_CONTEXT_USER;
		words[n++] = sample->ip;
	}
	unwound_exactly(s, sample->ip, ev->misc, words, head + n);
	*out = (struct cp_early){ .generation = p->aspace->generation,
		.end = (uint8_t)u->end,
		.dso = u->dso,
		.truncated = cp_chain_truncated(
		    sample->nr, &s->rec->evsels.all.data[ev->evsel]->attr) };
	cp_session_resolve(s, p, words, head + n, out);
}

bool
cp_session_unwind_early(
    struct cp_session *s, const struct cp_event *ev, struct cp_queued *q)
{
	struct cp_process *p = process_now(s, ev->pid, ev->tid);
	struct cp_unwind u;
	size_t head, n;

	/* JIT code in force is known only at the sample's time. */
	if (s->unwind == NULL || p == NULL || p->jit != NULL ||
	    ev->u.sample.user_regs == NULL)
		return false;
	head = usual_words(ev, room_for_chains(s));
	if (head == SIZE_MAX)
		return false;
	n = unwind(s, p, ev, head, &u);
	found_early(s, p, ev, head, n, &u, &q->early);
	return true;
}

static uint32_t
chain_again(struct cp_session *s, const struct cp_event *ev)
{
	const struct cp_ev_sample *sample = &ev->u.sample;
	uint64_t *words = room_for_chains(s);
	size_t n = 0;

	if (cp_exact_differs(sample->ips, sample->nr, sample->ip, ev->misc))
		n = cp_exact_chain(words, sample->ips, (size_t)sample->nr,
		    sample->ip, ev->misc);
	return n != 0
		   ? cp_chains_add(&s->chains, words, n)
		   : cp_chains_add(&s->chains, sample->ips, (size_t)sample->nr);
}

bool
cp_session_again(struct cp_session *s, const struct cp_queued *q,
    struct cp_queued *now, struct cp_event *copy)
{
	const struct cp_event *ev = s->again(s->unwind_ctx, q);
	const struct cp_ev_sample *sample;
	enum cp_level level = q->misc & CP_MISC_CPUMODE;

	*now = *q;
	now->early.generation = 0;
	if (ev == NULL)
		return false;
	*copy = *ev;
	sample = &copy->u.sample;
	if (sample->nr != 0)
		now->chain = chain_again(s, ev);
	if (now->chain == 0)
		now->chain = cp_chains_single(&s->chains, level, sample->ip);
	now->event = copy;
	return true;
}

/* -------------------------------------------------------- callers of leaves */

/*
 * On arm64 the kernel follows frame records.  A leaf function makes none, so
 * its caller is missing in the chain.  So perf records the link register.  If
 * the leaf's unwind table says that the register is not saved yet, it holds the
 * caller.  Without a table the caller stays unknown.
 */
enum { LR = 30, SP = 31, STACK = 4096 };

static bool
has_link(const struct cp_session *s, const struct cp_queued *q)
{
	const struct cp_ev_sample *e = &q->event->u.sample;
	const char *arch = s->rec->info.arch;

	return e->user_regs != NULL && e->user_stack == NULL &&
	       e->user_abi == 2 && (e->user_mask >> LR & 1) != 0 &&
	       arch != NULL && strcmp(arch, "aarch64") == 0;
}

/* Runs the unwinder on an empty stack.  0: no caller found. */
static uint64_t
find_caller(struct cp_session *s, struct cp_process *p,
    const struct cp_queued *q, uint64_t pc)
{
	static const uint8_t nothing[8];
	const struct cp_ev_sample *e = &q->event->u.sample;
	unsigned before = (unsigned)__builtin_popcountll(
	    e->user_mask & ((UINT64_C(1) << LR) - 1));
	/* Frame pointer, link register, stack pointer, pc. */
	uint64_t words[8],
	    regs[] = { 0, cp_load64(e->user_regs + 8 * before, q->event->swap),
		    STACK, pc };
	struct cp_ev_sample alone = { .user_abi = 2,
		.user_mask = UINT64_C(0xf) << (LR - 1),
		.user_regs = (const uint8_t *)regs,
		.user_stack = nothing,
		.user_stack_size = sizeof(nothing) };
	struct cp_unwind u = { .space = cp_session_space(s, p),
		.jit = p != NULL ? p->jit : NULL,
		.sample = &alone,
		.words = words,
		.max = CP_ARRAY_LEN(words) };
	size_t n = s->unwind(s->unwind_ctx, &u);

	return n >= 3 && words[0] == CP_CONTEXT_USER_UNWOUND &&
		       words[1] == pc && words[2] < CP_CONTEXT_MAX
		   ? words[2]
		   : 0;
}

/* Copies the recorded chain.  *leaf: where the user part begins, or n. */
static size_t
flatten(
    struct cp_session *s, const struct cp_chain *c, uint64_t *out, size_t *leaf)
{
	uint32_t have;
	const uint64_t *rest = cp_chains_callers(&s->chains, c, &have);
	size_t n = 0;

	out[n++] = have != 0 ? rest[0] : CP_CONTEXT_USER;
	out[n++] = c->leaf;
	for (uint32_t i = 1; i < have; i++)
		out[n++] = rest[i];
	*leaf = n;
	for (size_t i = n - 1; i > 0; i--)
		if (out[i - 1] == CP_CONTEXT_USER && out[i] < CP_CONTEXT_MAX)
			*leaf = i;
	return n;
}

uint32_t
cp_session_leaf_caller(
    struct cp_session *s, struct cp_process *p, const struct cp_queued *q)
{
	const struct cp_chain *c = &s->chains.all.data[q->chain];
	uint64_t *words, caller;
	size_t n, leaf;
	uint32_t id;

	if (!has_link(s, q) || c->guest ||
	    (c->callers == 0 && c->level != CP_LEVEL_USER))
		return q->chain;
	words = room_for_chains(s);
	n = flatten(s, c, words, &leaf);
	if (leaf == n || n + 4 > CP_MAX_CHAIN)
		return q->chain;
	caller = find_caller(s, p, q, words[leaf]);
	if (caller == 0 || (leaf + 1 < n && words[leaf + 1] == caller + 1))
		return q->chain;
	memmove(words + leaf + 4, words + leaf + 1,
	    (n - leaf - 1) * sizeof(*words));
	words[leaf + 1] = CP_CONTEXT_USER_UNWOUND;
	words[leaf + 2] = caller;
	words[leaf + 3] = CP_CONTEXT_USER;
	id = cp_chains_add(&s->chains, words, n + 3);
	return id != 0 ? id : q->chain;
}
