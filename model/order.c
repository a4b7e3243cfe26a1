/* SPDX-License-Identifier: MIT */
#include "model/order.h"

#include "base/limits.h"
#include "base/bytes.h"

void
cp_order_init(struct cp_order *o, const struct cp_evsels *evsels,
    struct cp_chains *chains, struct cp_quality *quality,
    struct cp_diags *diags, cp_order_sink sink, void *ctx)
{
	*o = (struct cp_order) { .evsels = evsels, .chains = chains,
		.quality = quality, .diags = diags, .sink = sink,
		.ctx = ctx, .want_chains = true };
	o->lbr = cp_xcalloc(CP_MAX_CHAIN, sizeof(*o->lbr));
	o->pending = cp_xcalloc(CP_ORDER_PENDING, sizeof(*o->pending));
}

void
cp_order_free(struct cp_order *o)
{
	for (size_t i = 0; i < o->waiting.len; i++)
		free(o->slots.data[o->waiting.data[i].slot].event);
	for (size_t i = 0; i < o->arrived.len; i++)
		free(o->slots.data[o->arrived.data[i].slot].event);
	cp_vec_free(&o->slots);
	cp_vec_free(&o->free_slots);
	cp_vec_free(&o->waiting);
	cp_vec_free(&o->arrived);
	cp_vec_free(&o->scratch);
	free(o->lbr);
	free(o->pending);
}

/* ------------------------------------------------------------ LBR stacks */

/*
 * perf's rule for LBR call stacks: the kernel part of the chain with its
 * USER marker, where the last branch went, then where each came from.  A
 * sample in user code knows better than the last branch where it is.
 */
static size_t
lbr_chain(struct cp_order *o, const struct cp_event *ev)
{
	const struct cp_ev_sample *s = &ev->u.sample;
	size_t n = 0;

	while (n < s->nr && s->ips[n] != CP_CONTEXT_USER)
		n++;
	if (n == s->nr || s->branch_nr + n + 2 > CP_MAX_CHAIN)
		return 0;
	n++;
	memcpy(o->lbr, s->ips, n * sizeof(*o->lbr));
	o->lbr[n++] = (ev->misc & CP_MISC_CPUMODE) == CP_LEVEL_USER
	    ? s->ip
	    : cp_load64(s->branch + 8, ev->swap);
	for (uint64_t i = 0; i < s->branch_nr; i++)
		o->lbr[n++] = cp_load64(s->branch + 24 * i, ev->swap);
	return n;
}

/* Where the chain's innermost address was, without the rest of it. */
static uint32_t
sample_leaf(struct cp_order *o, const struct cp_event *ev)
{
	const struct cp_ev_sample *s = &ev->u.sample;
	enum cp_level level = ev->misc & CP_MISC_CPUMODE;
	uint64_t i = 0;

	while (i < s->nr && s->ips[i] >= CP_CONTEXT_MAX)
		if (!cp_marker_level(s->ips[i++], &level))
			level = CP_LEVEL_GUEST_USER;
	return cp_chains_single(
	    o->chains, level, i < s->nr ? s->ips[i] : s->ip);
}

/* Takes the marker and cookie of a deferred user part off the end. */
static size_t
chain_length(const struct cp_ev_sample *s, struct cp_queued *q)
{
	if (s->nr < 2 || s->ips[s->nr - 2] != CP_CONTEXT_USER_DEFERRED)
		return (size_t)s->nr;
	q->deferred = true;
	q->cookie = s->ips[s->nr - 1];
	return (size_t)s->nr - 2;
}

static uint32_t
sample_chain(
    struct cp_order *o, const struct cp_event *ev, struct cp_queued *q)
{
	const struct cp_ev_sample *s = &ev->u.sample;
	const struct cp_attr *a = &o->evsels->all.data[ev->evsel]->attr;
	uint32_t id = 0;
	size_t n = 0;

	if (!o->want_chains || s->nr == 0)
		return sample_leaf(o, ev);
	if (s->branch_nr != 0 &&
	    (a->branch_sample_type >> CP_BRANCH_CALL_STACK & 1))
		n = lbr_chain(o, ev);
	if (n != 0)
		id = cp_chains_add(o->chains, o->lbr, n);
	else
		id = cp_chains_add(o->chains, s->ips, chain_length(s, q));
	return id != 0 ? id : sample_leaf(o, ev);
}

/* ---------------------------------------------------------- look-ups ahead */

static void
pending_take(struct cp_order *o)
{
	const struct cp_order_pending *p =
	    &o->pending[o->pending_first++ % CP_ORDER_PENDING];
	uint32_t id = cp_chains_add_hashed(o->chains, p->ips, p->n, p->hash);

	o->pending_len--;
	if (id != 0)
		o->slots.data[p->slot].chain = id;
}

/* Before anything is delivered. */
static void
pending_drain(struct cp_order *o)
{
	while (o->pending_len != 0)
		pending_take(o);
}

/* Only plain chains wait: no LBR, no deferred part, of usual length. */
static bool
pending_put(struct cp_order *o, const struct cp_event *ev, uint32_t slot)
{
	const struct cp_ev_sample *s = &ev->u.sample;
	struct cp_order_pending *p;

	if (!o->want_chains || s->nr < 3 || s->nr > CP_ORDER_WORDS ||
	    s->branch_nr != 0 || s->ips[1] >= CP_CONTEXT_MAX ||
	    s->ips[s->nr - 2] == CP_CONTEXT_USER_DEFERRED)
		return false;
	if (o->pending_len == CP_ORDER_PENDING)
		pending_take(o);
	p = &o->pending[(o->pending_first + o->pending_len++) %
	    CP_ORDER_PENDING];
	p->slot = slot;
	p->n = (uint32_t)s->nr;
	memcpy(p->ips, s->ips, (size_t)s->nr * sizeof(*p->ips));
	p->hash = cp_hash_words128(p->ips, p->n);
	cp_chains_fetch(o->chains, p->hash);
	return true;
}

/* --------------------------------------------------------------- delivery */

/* slot UINT32_MAX: it is delivered at once, nothing may wait. */
static void
queued_fill(struct cp_order *o, const struct cp_event *ev, uint32_t slot,
    struct cp_queued *q)
{
	*q = (struct cp_queued) { .time = ev->time, .offset = ev->offset,
		.pid = ev->pid, .tid = ev->tid, .cpu = ev->cpu,
		.evsel = ev->evsel, .type16 = (uint16_t)ev->type,
		.misc = ev->misc };
	if (ev->type != CP_RECORD_SAMPLE || ev->evsel == CP_NO_ID)
		return;
	q->ip = ev->u.sample.ip;
	q->period = ev->u.sample.period;
	if (slot == UINT32_MAX || !pending_put(o, ev, slot))
		q->chain = sample_chain(o, ev, q);
}

static int
deliver_now(struct cp_order *o, const struct cp_event *ev)
{
	struct cp_queued q;
	struct cp_event copy = *ev;

	queued_fill(o, ev, UINT32_MAX, &q);
	q.event = &copy;
	return o->sink(o->ctx, &q);
}

/* The sink adds nothing: the slot stays where it is until it returns. */
static int
deliver(struct cp_order *o, const struct cp_order_key *k)
{
	struct cp_queued *q = &o->slots.data[k->slot];
	int status;

	o->delivered = k->time;
	status = o->sink(o->ctx, q);
	if (q->event != NULL) {
		o->held_bytes -= q->event->copied;
		free(q->event);
	}
	*cp_vec_push(&o->free_slots) = k->slot;
	return status;
}

/* Merges what arrived into what waits. */
static void
settle(struct cp_order *o)
{
	size_t n = o->waiting.len, m = o->arrived.len;

	pending_drain(o);
	if (m == 0)
		return;
	cp_vec_reserve(&o->scratch, n + m);
	cp_order_sort(o->arrived.data, m, o->scratch.data);
	cp_vec_reserve(&o->waiting, n + m);
	memcpy(o->waiting.data + n, o->arrived.data,
	    m * sizeof(*o->arrived.data));
	o->waiting.len = n + m;
	o->arrived.len = 0;
	cp_order_sort(o->waiting.data, n + m, o->scratch.data);
}

enum { AHEAD = 8 }; /* events; neither they nor their chains fit a cache */

/* Delivers the first n that wait. */
static int
release(struct cp_order *o, size_t n)
{
	const struct cp_order_key *k = o->waiting.data;
	int status = CP_OK;
	size_t i;

	for (i = 0; i < n && status == CP_OK; i++) {
		if (i + 2 * AHEAD < n)
			__builtin_prefetch(
			    &o->slots.data[k[i + 2 * AHEAD].slot]);
		if (i + AHEAD < n)
			__builtin_prefetch(&o->chains->all.data
				[o->slots.data[k[i + AHEAD].slot].chain]);
		status = deliver(o, &k[i]);
	}
	memmove(o->waiting.data, o->waiting.data + i,
	    (o->waiting.len - i) * sizeof(*o->waiting.data));
	o->waiting.len -= i;
	return status;
}

static int
release_until(struct cp_order *o, uint64_t limit)
{
	size_t n = 0;

	settle(o);
	while (n < o->waiting.len && o->waiting.data[n].time <= limit)
		n++;
	return n != 0 ? release(o, n) : CP_OK;
}

static int
finished_round(struct cp_order *o, const struct cp_event *ev)
{
	int status;

	o->rounds = true;
	if (ev->time != CP_NO_TIME)
		return release_until(o, ev->time);
	status = release_until(o, o->limit);
	o->limit = o->max_time;
	return status;
}

/* ---------------------------------------------------------------- arrival */

/*
 * Counter values make samples of their own (read.c) and are always kept; so
 * are the rare fields that every analysis may see.
 */
static bool
keeps_event(const struct cp_order *o, const struct cp_event *ev)
{
	const struct cp_ev_sample *s = &ev->u.sample;

	if (ev->type != CP_RECORD_SAMPLE || s->read != NULL ||
	    s->cgroup != 0)
		return true;
	return o->want_payload &&
	    (s->raw != NULL || s->branch != NULL || s->user_regs != NULL ||
		s->addr != 0);
}

static int
enqueue(struct cp_order *o, const struct cp_event *ev)
{
	struct cp_queued *q;
	uint32_t slot;

	if (o->free_slots.len != 0) {
		slot = o->free_slots.data[--o->free_slots.len];
	} else {
		slot = (uint32_t)o->slots.len;
		(void)cp_vec_push(&o->slots);
	}
	q = &o->slots.data[slot];
	queued_fill(o, ev, slot, q);
	if (keeps_event(o, ev)) {
		q->event = cp_event_copy(ev);
		o->held_bytes += q->event->copied;
	}
	*cp_vec_push(&o->arrived) = (struct cp_order_key) {
		.time = ev->time, .slot = slot
	};
	if (ev->time > o->max_time)
		o->max_time = ev->time;
	if (CP_UNLIKELY(ev->time < o->delivered)) {
		o->quality->out_of_order++;
		cp_diag_at(o->diags, CP_D_OUT_OF_ORDER, ev->offset,
		    "%" PRIu64 " ns late", o->delivered - ev->time);
	}
	return CP_OK;
}

/* Too much is kept back: the older half goes, in the order it has. */
static int
relieve(struct cp_order *o)
{
	settle(o);
	if (!o->rounds && o->quality->out_of_order == 0)
		cp_diag(o->diags, CP_D_NO_ROUNDS, "%zu events at a time",
		    o->waiting.len);
	return release(o, o->waiting.len / 2);
}

int
cp_order_push(struct cp_order *o, const struct cp_event *ev)
{
	int status;

	if (ev->type == CP_RECORD_FINISHED_ROUND)
		return finished_round(o, ev);
	if (ev->type >= CP_RECORD_HEADER_ATTR || ev->time == 0 ||
	    ev->time == CP_NO_TIME || !o->evsels->sample_id_all)
		return deliver_now(o, ev);
	status = enqueue(o, ev);
	if (CP_UNLIKELY((!o->rounds && o->arrived.len >= CP_ORDER_WINDOW) ||
		o->arrived.len >= CP_ORDER_ROUND ||
		o->held_bytes > CP_HELD_BYTES))
		status = relieve(o);
	return status;
}

int
cp_order_end(struct cp_order *o)
{
	return release_until(o, UINT64_MAX);
}
