/* SPDX-License-Identifier: MIT */
#include "model/batch.h"

#include "base/block.h"
#include "base/limits.h"
#include "model/session.h"

enum { USUAL = 64 }; /* words of a chain */

static struct cp_batch *
batch_at(struct cp_batches *b, unsigned i)
{
	return &b->all[(b->first + i) % b->most];
}

/* ------------------------------------------------------------ beside others */

/* The event, as far as it matters here. */
static void
event_of(const struct cp_batch_item *i, struct cp_event *ev)
{
	struct cp_ev_sample *s = &ev->u.sample;

	ev->evsel = i->evsel;
	ev->swap = i->swap;
	s->ip = i->ip;
	s->nr = i->nr;
	s->user_abi = i->user_abi;
	s->user_mask = i->user_mask;
	s->user_regs = i->user_regs;
	s->user_stack = i->user_stack;
	s->user_stack_size = i->user_stack_size;
	s->user_stack_granted = i->user_stack_granted;
	s->ahead = s->ahead_end = NULL;
}

void
cp_session_unwind_one(struct cp_session *s, struct cp_process *p,
    const struct cp_event *ev, uint64_t *words, size_t max, unsigned worker,
    struct cp_beside *out)
{
	struct cp_unwind u = cp_session_unwind_what(s, p, ev, words, max);

	u.beside = true;
	out->n = (uint32_t)s->unwind_by(s->unwind_ctx, &u, worker);
	out->end = (uint8_t)u.end;
	out->dso = u.dso;
	out->again = u.again;
	out->missed = u.missed;
	out->vain = u.vain;
	out->missed_ip = u.missed_ip;
	if (out->again)
		out->n = 0;
}

static void
unwind_item(struct cp_batch *b, struct cp_batch_item *i,
    const struct cp_batch_item *next, unsigned worker)
{
	struct cp_event ev;
	uint64_t *words;

	event_of(i, &ev);
	if (next != NULL) {
		ev.u.sample.ahead = next->user_regs;
		ev.u.sample.ahead_end =
		    next->user_stack +
		    CP_MIN(next->user_stack_size, (uint64_t)CP_STACK_AHEAD);
	}
	cp_vec_reserve(&b->words, b->words.len + CP_MAX_CHAIN + 2);
	i->found.at = b->words.len;
	words = b->words.data + i->found.at;
	if (i->head != 0)
		memcpy(words, b->heads.data + i->head_at,
		    i->head * sizeof(*words));
	cp_session_unwind_one(b->session, i->process, &ev, words + i->head,
	    CP_MAX_CHAIN - i->head, worker, &i->found);
	/* There may be two words of what was recorded instead. */
	b->words.len += i->head + i->found.n + 2;
}

static void
unwind_batch(struct cp_work *work, unsigned worker)
{
	struct cp_batch *b = (struct cp_batch *)work;

	for (size_t i = 0; i < b->items.len; i++) {
		const struct cp_batch_item *next = &b->items.data[i + 1];

		unwind_item(b, &b->items.data[i],
		    i + 1 < b->items.len ? next : NULL, worker);
	}
}

/* ------------------------------------------------------------ by the owner */

static void
finish_again(struct cp_session *s, const struct cp_batch *b,
    const struct cp_batch_item *i, const struct cp_event *ev)
{
	uint64_t *words = cp_session_words(s);
	struct cp_unwind u = cp_session_unwind_what(
	    s, i->process, ev, words + i->head, CP_MAX_CHAIN - i->head);
	size_t n = s->unwind(s->unwind_ctx, &u);

	memcpy(words, b->words.data + i->found.at, i->head * sizeof(*words));
	cp_session_unwind_found(
	    s, i->process, ev, words, i->head, n, &u, i->to);
}

/* As if it had been unwound when it was read. */
static void
finish_item(struct cp_session *s, const struct cp_batch *b,
    const struct cp_batch_item *i)
{
	struct cp_unwind u = { .end = i->found.end, .dso = i->found.dso };
	struct cp_event ev;

	if (cp_block_lost(b->block)) { /* read again when its time comes */
		*i->to = (struct cp_early){ .generation = UINT32_MAX };
		return;
	}
	s->diags->at_record = i->number;
	s->diags->at_offset = i->offset;
	event_of(i, &ev);
	if (i->found.again) {
		finish_again(s, b, i, &ev);
		return;
	}
	if (i->found.missed)
		(void)cp_aspace_ask(i->process->aspace, i->found.missed_ip);
	cp_session_unwind_found(s, i->process, &ev, b->words.data + i->found.at,
	    i->head, i->found.n, &u, i->to);
}

static void
finish_first(struct cp_session *s)
{
	struct cp_batches *all = &s->batches;
	struct cp_batch *b = batch_at(all, 0);
	const uint64_t record = s->diags->at_record;
	const uint64_t offset = s->diags->at_offset;

	cp_pool_wait(all->pool, &b->work);
	for (size_t i = 0; i < b->items.len; i++)
		finish_item(s, b, &b->items.data[i]);
	s->diags->at_record = record;
	s->diags->at_offset = offset;
	cp_block_drop(b->block);
	b->block = NULL;
	b->items.len = b->heads.len = b->words.len = 0;
	all->first = (all->first + 1) % all->most;
	all->n--;
}

/* The one that is being filled is full enough. */
static void
send_last(struct cp_batches *all)
{
	struct cp_batch *b = batch_at(all, all->n - 1);

	b->work.run = unwind_batch;
	cp_pool_add(all->pool, &b->work);
}

void
cp_session_batch_room(struct cp_session *s, struct cp_block *block)
{
	struct cp_batches *all = &s->batches;
	struct cp_batch *b = all->n != 0 ? batch_at(all, all->n - 1) : NULL;

	if (b != NULL && b->block == block && b->items.len < CP_MAX_BATCH)
		return;
	if (b != NULL)
		send_last(all);
	if (all->n == all->most)
		finish_first(s);
	b = batch_at(all, all->n++);
	cp_vec_reserve(&b->words, CP_MAX_CHAIN + CP_MAX_BATCH * USUAL);
	b->session = s;
	b->block = block;
	cp_block_keep(block);
}

void
cp_session_unwind_later(struct cp_session *s, struct cp_process *p,
    const struct cp_event *ev, size_t head, struct cp_queued *q)
{
	struct cp_batch *b = batch_at(&s->batches, s->batches.n - 1);
	struct cp_batch_item *i = cp_vec_push(&b->items);
	const struct cp_ev_sample *from = &ev->u.sample;

	*i = (struct cp_batch_item){ .process = p,
		.number = ev->number,
		.offset = ev->offset,
		.evsel = ev->evsel,
		.swap = ev->swap,
		.ip = from->ip,
		.nr = from->nr,
		.user_abi = from->user_abi,
		.user_mask = from->user_mask,
		.user_regs = from->user_regs,
		.user_stack = from->user_stack,
		.user_stack_size = from->user_stack_size,
		.user_stack_granted = from->user_stack_granted,
		.head = (uint32_t)head,
		.head_at = b->heads.len };
	cp_vec_reserve(&b->heads, b->heads.len + head);
	if (head != 0)
		memcpy(b->heads.data + b->heads.len, s->unwound,
		    head * sizeof(*s->unwound));
	b->heads.len += head;
	q->early = (struct cp_early){ .pending = true,
		.generation = p->aspace->generation };
	q->waits = &i->to;
}

void
cp_session_unwound(struct cp_session *s)
{
	if (s->batches.n == 0)
		return;
	send_last(&s->batches);
	while (s->batches.n != 0)
		finish_first(s);
}

void
cp_session_unwind_beside(
    struct cp_session *s, struct cp_pool *pool, unsigned threads)
{
	s->batches.pool = pool;
	s->batches.most = CP_MIN(threads + 2, (unsigned)CP_BATCHES);
}

void
cp_batches_free(struct cp_batches *b)
{
	for (size_t i = 0; i < CP_BATCHES; i++) {
		if (b->all[i].block != NULL)
			cp_block_drop(b->all[i].block);
		b->all[i].block = NULL;
		cp_vec_free(&b->all[i].items);
		cp_vec_free(&b->all[i].heads);
		cp_vec_free(&b->all[i].words);
	}
}
