/* SPDX-License-Identifier: MIT */
/*
 * leafcaller: the caller of a leaf on arm64.
 *
 * The kernel follows frame records, and a function that calls nobody makes
 * none: its caller is missing in the chain.  So perf records the link register
 * beside it.  Where the leaf's unwind table says that it has not been saved it
 * leads to the caller; where there is no table nothing is known.
 */
#include "base/bytes.h"
#include "base/limits.h"
#include "model/session-state.h"

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

/* By the unwinder, with a stack that holds nothing; 0: not known. */
static uint64_t
find_caller(struct cp_session *s, struct cp_process *p,
    const struct cp_queued *q, uint64_t pc)
{
	static const uint8_t nothing[8];
	const struct cp_ev_sample *e = &q->event->u.sample;
	unsigned before = (unsigned)__builtin_popcountll(
	    e->user_mask & ((UINT64_C(1) << LR) - 1));
	/* The frame pointer, the link register, the stack, the place. */
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

/* The chain as it was recorded; *leaf is where the user's begins, or n. */
static size_t
flatten(const struct cp_session *s, const struct cp_chain *c, uint64_t *out,
    size_t *leaf)
{
	const struct cp_callers *rest = &s->chains.callers.data[c->callers];
	size_t n = 0;

	out[n++] = c->callers != 0 ? rest->words[0] : CP_CONTEXT_USER;
	out[n++] = c->leaf;
	for (uint32_t i = 1; c->callers != 0 && i < rest->n; i++)
		out[n++] = rest->words[i];
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
	    (c->callers == 0 && c->level != CP_LEVEL_USER) ||
	    s->chains.callers.data[c->callers].n + 5 > CP_MAX_CHAIN)
		return q->chain;
	words = cp_session_words(s);
	n = flatten(s, c, words, &leaf);
	if (leaf == n)
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
