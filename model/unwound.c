/* SPDX-License-Identifier: MIT */
/*
 * unwound: chains whose user part comes from a copy of the stack.
 *
 * The session knows when to ask and what the answer is joined to; how a stack
 * is unwound is for who set session.unwind to know.  The kernel's part of the
 * recorded chain stays, its user part is replaced if that makes it longer.
 */
#include "base/limits.h"
#include "model/session.h"

/* Words of the recorded chain up to the user's part; the rest is counted. */
static size_t
kernel_words(const struct cp_session *s, const struct cp_chain *c,
    uint64_t *out, size_t *user)
{
	const struct cp_callers *rest = &s->chains.callers.data[c->callers];
	size_t n = 0, i = 1;

	*user = 0;
	if (c->level == CP_LEVEL_USER) {
		*user = rest->n > 1 ? rest->n : 1;
		return 0;
	}
	out[n++] = c->callers != 0 ? rest->words[0] : CP_CONTEXT_KERNEL;
	out[n++] = c->leaf;
	for (; i < rest->n && rest->words[i] != CP_CONTEXT_USER; i++)
		out[n++] = rest->words[i];
	if (i < rest->n)
		*user = rest->n - i - 1;
	return n;
}

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
	const struct cp_attr *a = &s->rec->evsels.all.data[q->evsel]->attr;
	uint64_t *words = s->unwound;
	struct cp_unwind u = { .space = cp_session_space(s, p),
		.jit = p != NULL ? p->jit : NULL };
	size_t head, user, n;
	uint32_t id;

	if (!can_unwind(s, q, c))
		return q->chain;
	if (words == NULL)
		words = s->unwound =
		    cp_xcalloc(2 * CP_MAX_CHAIN + 4, sizeof(*words));
	head = kernel_words(s, c, words, &user);
	if (head >= CP_MAX_CHAIN / 2)
		return q->chain;
	u.sample = &q->event->u.sample;
	u.swap = q->event->swap;
	u.cut = u.sample->user_stack_size >= a->stack_user ||
	    u.sample->user_stack_size == u.sample->user_stack_granted;
	u.words = words + head;
	u.max = CP_MAX_CHAIN - head; /* one chain, as long as one may be */
	n = s->unwind(s->unwind_ctx, &u);
	out->unwound = (uint8_t)u.end;
	out->unwound_dso = u.dso;
	/* Our marker and one address are no more than was there before. */
	if (n == 0 || (!s->unwind_always && n <= user + 1 && n <= 2))
		return q->chain;
	id = cp_chains_add(&s->chains, words, head + n);
	return id != 0 ? id : q->chain;
}
