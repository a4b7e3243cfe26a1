/* SPDX-License-Identifier: MIT */
#include "model/ahead.h"

#include "base/limits.h"
#include "model/session.h"

static struct cp_ahead_batch *
batch_at(struct cp_ahead *a, unsigned i)
{
	return &a->all[(a->first + i) % CP_AHEAD_BATCHES];
}

/* ------------------------------------------------------------ beside others */

static void
unwind_batch(struct cp_work *work, unsigned worker)
{
	struct cp_ahead_batch *b = (struct cp_ahead_batch *)work;

	for (size_t i = 0; i < b->n; i++) {
		struct cp_ahead_item *it = &b->item[i];

		cp_vec_reserve(&b->words, b->words.len + CP_MAX_CHAIN);
		it->found.at = b->words.len;
		cp_session_unwind_one(b->session, it->process, it->event,
		    b->words.data + b->words.len, CP_MAX_CHAIN - it->head,
		    worker, &it->found);
		b->words.len += it->found.n;
	}
}

/* ------------------------------------------------------------ by the owner */

/* The one to be filled, or NULL. */
static struct cp_ahead_batch *
room(struct cp_session *s)
{
	struct cp_ahead *a = &s->ahead;
	struct cp_ahead_batch *b;

	if (a->all == NULL)
		a->all = cp_xcalloc(CP_AHEAD_BATCHES, sizeof(*a->all));
	b = a->n != 0 ? batch_at(a, a->n - 1) : NULL;
	if (b != NULL && !b->sent)
		return b;
	if (a->n == CP_AHEAD_BATCHES)
		return NULL;
	b = batch_at(a, a->n++);
	b->session = s;
	b->work.run = unwind_batch;
	return b;
}

void
cp_session_ahead_send(struct cp_session *s)
{
	struct cp_ahead *a = &s->ahead;
	struct cp_ahead_batch *b = a->n != 0 ? batch_at(a, a->n - 1) : NULL;

	if (b == NULL || b->sent || b->n == 0)
		return;
	b->sent = true;
	cp_pool_add(s->batches.pool, &b->work);
}

/* Who walks up the stack of one has memory bring that of the next. */
static void
fetch_next(struct cp_event *ev, const struct cp_ev_sample *next)
{
	ev->u.sample.ahead = next->user_stack;
	ev->u.sample.ahead_end =
	    next->user_stack +
	    CP_MIN(next->user_stack_size, (uint64_t)CP_STACK_AHEAD);
}

bool
cp_session_ahead(struct cp_session *s, const struct cp_queued *q)
{
	struct cp_ahead_batch *b = room(s);
	struct cp_ahead_item *it;
	struct cp_process *p;
	size_t head;

	if (b == NULL)
		return false;
	p = cp_session_unwind_soon(s, q, &head);
	if (p == NULL)
		return true;
	it = &b->item[b->n];
	*it = (struct cp_ahead_item){ .event = q->event,
		.process = p,
		.generation = p->aspace->generation,
		.epoch = s->ahead.epoch,
		.head = (uint32_t)head };
	if (b->n != 0)
		fetch_next(it[-1].event, &q->event->u.sample);
	if (++b->n == CP_AHEAD_ITEMS)
		cp_session_ahead_send(s);
	return true;
}

/* All has been delivered that was in the oldest. */
static void
forget_first(struct cp_ahead *a)
{
	struct cp_ahead_batch *b = batch_at(a, 0);

	b->n = b->taken = b->words.len = 0;
	b->sent = b->done = false;
	a->first = (a->first + 1) % CP_AHEAD_BATCHES;
	a->n--;
}

static void
wait_for(struct cp_session *s, struct cp_ahead_batch *b)
{
	if (!b->done)
		cp_pool_wait(s->batches.pool, &b->work);
	b->done = true;
}

void
cp_session_ahead_take(struct cp_session *s, const struct cp_event *ev)
{
	struct cp_ahead *a = &s->ahead;
	struct cp_ahead_batch *b;

	a->found = NULL;
	if (a->n == 0)
		return;
	b = batch_at(a, 0);
	if (b->taken == b->n || b->item[b->taken].event != ev)
		return;
	cp_session_ahead_send(s);
	wait_for(s, b);
	a->found = &b->item[b->taken++];
	a->words = b->words.data + a->found->found.at;
	if (b->taken == b->n)
		forget_first(a);
}

void
cp_session_ahead_rest(struct cp_session *s)
{
	struct cp_ahead *a = &s->ahead;

	cp_session_ahead_send(s);
	for (unsigned i = 0; i < a->n; i++)
		if (batch_at(a, i)->sent)
			wait_for(s, batch_at(a, i));
	a->epoch++;
}

void
cp_ahead_free(struct cp_ahead *a)
{
	for (size_t i = 0; a->all != NULL && i < CP_AHEAD_BATCHES; i++)
		cp_vec_free(&a->all[i].words);
	free(a->all);
	*a = (struct cp_ahead){ 0 };
}
