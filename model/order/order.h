/* SPDX-License-Identifier: MIT */
/*
 * model/order/order.h: events in order of time.
 *
 * The rules are perf's, ties included.  Records without a time pass at once.
 * All others are sorted by time, stably.  A FINISHED_ROUND record releases all
 * events up to the youngest one before the previous FINISHED_ROUND.  A round
 * record with a time releases up to that time.
 *
 * Held events are copied: a sample as 56 bytes, its chain as an id, raw data if
 * an analysis wants it.
 */
#ifndef CP_MODEL_ORDER_ORDER_H
#define CP_MODEL_ORDER_ORDER_H

#include "base/tuning.h"
#include "model/order/queue.h"

/*
 * A sample of fixed fields, a call chain and raw data, the most common kind.
 * Its pointers are valid until the reader reads on.
 */
struct cp_plain {
	uint64_t time, offset;
	uint64_t ip, addr, period;
	uint64_t id;            /* 0: none */
	uint32_t pid, tid, cpu; /* CP_NO_ID */
	uint32_t evsel;
	uint16_t misc;
	uint32_t raw_size;
	uint64_t nr;
	const uint64_t *ips;
	const uint8_t *raw; /* NULL: none */
};

void cp_order_init(struct cp_order *, const struct cp_evsels *,
    struct cp_chains *, struct cp_quality *, struct cp_diags *, cp_order_sink,
    void *ctx);
/* Adds an event, and delivers the events that are released. */
int cp_order_push(struct cp_order *, const struct cp_event *);
/* Delivers all remaining events. */
int cp_order_end(struct cp_order *);
void cp_order_free(struct cp_order *);

/* ---------------------------------------------------------- plain samples */

/*
 * Adds a plain sample without making an event; delivers nothing.  The caller
 * must not add more than cp_order_room() tells, only samples of events that
 * cp_order_takes(), with a time that is neither 0 nor before the last delivery,
 * and no deferred chains.  At the end, before the chains' memory goes, it calls
 * cp_chains_settle().  Inline, so that fields go from the record to their
 * slot in registers.
 */
static inline void cp_order_plain(struct cp_order *, const struct cp_plain *);
static inline bool
cp_order_takes(const struct cp_order *o, const struct cp_evsel_info *e)
{
	return e->plain && o->evsels->sample_id_all &&
	       !(o->want_payload && (e->attr.sample_type & CP_SAMPLE_ADDR));
}
/* How many samples may be added before the next call; 0: none. */
size_t cp_order_room(const struct cp_order *);

/* Makes a slot with `size` bytes after it. */
static inline struct cp_slot *
cp_order_slot_(struct cp_order *o, uint64_t time, uint32_t size)
{
	struct cp_slot *s = cp_held_take(&o->held, sizeof(*s) + size);

	__builtin_prefetch((uint8_t *)s + CP_LANE_AHEAD, 1);
	__builtin_prefetch((uint8_t *)s + CP_LANE_AHEAD + 64, 1);
	*cp_vec_push(&o->arrived) =
	    (struct cp_order_key){ .time = time, .slot = s };
	if (time > o->max_time)
		o->max_time = time;
	return s;
}

/* Queues the look-up of the sample's chain if that has the usual form. */
static inline bool
cp_order_queue_(struct cp_order *o, struct cp_slot *s, const struct cp_plain *p)
{
	if (!o->want_chains || p->nr < 3 || p->ips[1] >= CP_CONTEXT_MAX ||
	    (p->misc & CP_MISC_EXACT_IP) != 0)
		return false;
	cp_chains_queue(o->chains, p->ips, (size_t)p->nr, &s->chain);
	return true;
}

static inline void
cp_order_plain(struct cp_order *o, const struct cp_plain *p)
{
	uint32_t size = o->want_payload ? p->raw_size : 0;
	struct cp_slot *s = cp_order_slot_(o, p->time, size);

	*s = (struct cp_slot){ .offset = p->offset,
		.ip = p->ip,
		.period = p->period,
		.pid = p->pid,
		.tid = p->tid,
		.cpu = p->cpu,
		.evsel = p->evsel,
		.type = CP_RECORD_SAMPLE,
		.misc = p->misc,
		.size = size };
	if (size != 0)
		memcpy(s + 1, p->raw, size);
	if (o->want_places && !cp_order_queue_(o, s, p))
		cp_order_place_(o, s, p->ips, p->nr);
}

#endif
