/* SPDX-License-Identifier: MIT */
#include "model/order/order.h"

#include <coldperf/samples.h>

#include "base/limits.h"

void
cp_order_init(struct cp_order *o, const struct cp_evsels *evsels,
    struct cp_chains *chains, struct cp_quality *quality,
    struct cp_diags *diags, cp_order_sink sink, void *ctx)
{
	*o = (struct cp_order){ .evsels = evsels,
		.chains = chains,
		.quality = quality,
		.diags = diags,
		.sink = sink,
		.ctx = ctx,
		.want_chains = true,
		.want_places = true };
	o->lbr = cp_xcalloc(CP_MAX_CHAIN, sizeof(*o->lbr));
	o->exact = cp_xcalloc(CP_MAX_CHAIN + 2, sizeof(*o->exact));
}

static void
drop(struct cp_order *o, struct cp_slot *s)
{
	const struct cp_slot_rest *r = (const void *)(s + 1);

	if (CP_UNLIKELY(s->rest) && r->event != NULL)
		cp_held_drop(&o->held, r->event, r->event->copied);
	cp_held_drop(&o->held, s, sizeof(*s) + s->size);
}

void
cp_order_free(struct cp_order *o)
{
	for (size_t i = 0; i < o->waiting.len; i++)
		drop(o, o->waiting.data[i].slot);
	for (size_t i = 0; i < o->arrived.len; i++)
		drop(o, o->arrived.data[i].slot);
	cp_held_free(&o->held);
	cp_vec_free(&o->waiting);
	cp_vec_free(&o->arrived);
	cp_vec_free(&o->scratch);
	free(o->lbr);
	free(o->exact);
	o->lbr = o->exact = NULL;
}

/* --------------------------------------------------------------- delivery */

static inline bool
is_plain(const struct cp_slot *s)
{
	return s->type == CP_RECORD_SAMPLE && !s->rest && s->evsel != CP_NO_ID;
}

static void
slot_get(const struct cp_order_key *k, struct cp_queued *q)
{
	const struct cp_slot *s = k->slot;
	const struct cp_slot_rest *r = (const void *)(s + 1);

	*q = (struct cp_queued){ .time = k->time,
		.offset = s->offset,
		.ip = s->ip,
		.period = s->period,
		.pid = s->pid,
		.tid = s->tid,
		.cpu = s->cpu,
		.chain = s->chain,
		.evsel = s->evsel,
		.type16 = s->type,
		.misc = s->misc };
	if (s->rest) {
		q->event = r->event;
		q->deferred = r->deferred;
		q->cookie = r->cookie;
		q->early = r->early;
	} else if (s->size != 0) {
		q->raw = (const uint8_t *)(s + 1);
		q->raw_size = s->size;
	}
}

/* Like slot_get() for a `plain` sample: *q has its constant fields already. */
static inline void
slot_get_plain(const struct cp_order_key *k, struct cp_queued *q)
{
	const struct cp_slot *s = k->slot;

	q->time = k->time;
	q->offset = s->offset;
	q->ip = s->ip;
	q->period = s->period;
	q->pid = s->pid;
	q->tid = s->tid;
	q->cpu = s->cpu;
	q->chain = s->chain;
	q->evsel = s->evsel;
	q->misc = s->misc;
	q->raw = s->size != 0 ? (const uint8_t *)(s + 1) : NULL;
	q->raw_size = s->size;
}

static int
deliver(struct cp_order *o, const struct cp_order_key *k)
{
	struct cp_queued q;
	int status;

	slot_get(k, &q);
	status = o->sink(o->ctx, &q);
	drop(o, k->slot);
	return status;
}

static inline int
deliver_plain(
    struct cp_order *o, const struct cp_order_key *k, struct cp_queued *q)
{
	uint32_t size = k->slot->size;
	int status;

	slot_get_plain(k, q);
	status = o->sink(o->ctx, q);
	cp_held_drop(&o->held, k->slot, sizeof(*k->slot) + size);
	return status;
}

/* ---------------------------------------------------------------- waiting */

static void
slot_put(struct cp_order *o, const struct cp_queued *q)
{
	const struct cp_slot_rest rest = { .event = q->event,
		.deferred = q->deferred,
		.cookie = q->cookie,
		.early = q->early };
	bool has_rest =
	    q->event != NULL || q->deferred || q->early.generation != 0;
	uint32_t size = has_rest ? sizeof(rest) : q->raw_size;
	struct cp_slot *s = cp_order_slot_(o, q->time, size);

	*s = (struct cp_slot){ .offset = q->offset,
		.ip = q->ip,
		.period = q->period,
		.pid = q->pid,
		.tid = q->tid,
		.cpu = q->cpu,
		.chain = q->chain,
		.evsel = q->evsel,
		.type = q->type16,
		.misc = q->misc,
		.size = size,
		.rest = has_rest };
	if (has_rest)
		memcpy(s + 1, &rest, sizeof(rest));
	else if (size != 0)
		memcpy(s + 1, q->raw, size);
}

/* Merges the arrived events into the waiting ones. */
static void
merge_arrived(struct cp_order *o)
{
	size_t n = o->waiting.len, m = o->arrived.len, late = n;
	const struct cp_order_key *sorted;

	if (m == 0)
		return;
	cp_vec_reserve(&o->waiting, n + m);
	sorted = cp_order_sort(o->arrived.data, m, o->waiting.data + n);
	if (sorted != o->waiting.data + n)
		memcpy(o->waiting.data + n, sorted, m * sizeof(*sorted));
	o->waiting.len = n + m;
	o->arrived.len = 0;
	/* Most waiting events are older than all arrived ones. */
	while (late > 0 &&
	       o->waiting.data[late - 1].time > o->waiting.data[n].time)
		late--;
	if (late == n)
		return;
	cp_vec_reserve(&o->scratch, n - late + m);
	sorted = cp_order_sort(
	    o->waiting.data + late, n - late + m, o->scratch.data);
	if (sorted != o->waiting.data + late)
		memcpy(o->waiting.data + late, sorted,
		    (n - late + m) * sizeof(*sorted));
}

/* Delivers the first n waiting events. */
static int
deliver_first(struct cp_order *o, size_t n)
{
	const struct cp_order_key *k = o->waiting.data;
	struct cp_queued plain = { .plain = true, .type16 = CP_RECORD_SAMPLE };
	int status = CP_OK;
	size_t i;

	if (n == 0)
		return CP_OK;
	for (i = 0; i < n && status == CP_OK; i++) {
		o->delivered = k[i].time;
		status = is_plain(k[i].slot) ? deliver_plain(o, &k[i], &plain)
					     : deliver(o, &k[i]);
	}
	memmove(o->waiting.data, k + i, (o->waiting.len - i) * sizeof(*k));
	o->waiting.len -= i;
	return status;
}

static int
release_until(struct cp_order *o, uint64_t limit)
{
	size_t n = 0;

	merge_arrived(o);
	while (n < o->waiting.len && o->waiting.data[n].time <= limit)
		n++;
	return deliver_first(o, n);
}

/* ---------------------------------------------------------------- arrival */

static void
enqueue(struct cp_order *o, const struct cp_event *ev)
{
	struct cp_queued q;

	cp_order_describe(o, ev, &q);
	cp_order_keep(o, ev, &q);
	slot_put(o, &q);
	if (CP_UNLIKELY(ev->time < o->delivered)) {
		o->quality->out_of_order++;
		cp_diag_at(o->diags, CP_D_OUT_OF_ORDER, ev->offset,
		    "%" PRIu64 " ns late", o->delivered - ev->time);
	}
}

/* Limits of held events: their number, and the bytes of their copies. */
static size_t
most_events(const struct cp_order *o)
{
	return o->rounds ? CP_ORDER_ROUND : CP_ORDER_WINDOW;
}

static size_t
most_bytes(const struct cp_order *o)
{
	return CP_HELD_BYTES +
	       (o->waiting.len + o->arrived.len) * sizeof(struct cp_slot);
}

static bool
too_much(const struct cp_order *o)
{
	return o->arrived.len >= most_events(o) ||
	       o->held.bytes > most_bytes(o);
}

/* The last one may have the largest size of a record: 64 KiB. */
size_t
cp_order_room(const struct cp_order *o)
{
	size_t events = most_events(o), bytes = most_bytes(o);

	if (o->arrived.len + 1 >= events || o->held.bytes > bytes)
		return 0;
	return CP_MIN(
	    events - 1 - o->arrived.len, 1 + ((bytes - o->held.bytes) >> 16));
}

/* At a limit: delivers the older half of the events. */
static int
deliver_older_half(struct cp_order *o)
{
	merge_arrived(o);
	if (!o->rounds && o->quality->out_of_order == 0)
		cp_diag(o->diags, CP_D_NO_ROUNDS, "%zu events at a time",
		    o->waiting.len);
	return deliver_first(o, o->waiting.len / 2);
}

int
cp_order_push(struct cp_order *o, const struct cp_event *ev)
{
	if (ev->type == CP_RECORD_FINISHED_ROUND) {
		int status;

		o->rounds = true;
		if (ev->time != CP_NO_TIME)
			return release_until(o, ev->time);
		status = release_until(o, o->limit);
		o->limit = o->max_time;
		return status;
	}
	if (ev->type >= CP_RECORD_HEADER_ATTR || ev->time == 0 ||
	    ev->time == CP_NO_TIME || !o->evsels->sample_id_all) {
		struct cp_queued q;
		struct cp_event copy = *ev;

		cp_order_describe(o, ev, &q);
		q.event = &copy;
		return o->sink(o->ctx, &q);
	}
	enqueue(o, ev);
	return CP_UNLIKELY(too_much(o)) ? deliver_older_half(o) : CP_OK;
}

int
cp_order_end(struct cp_order *o)
{
	return release_until(o, UINT64_MAX);
}
