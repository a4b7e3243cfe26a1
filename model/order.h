/* SPDX-License-Identifier: MIT */
/*
 * model/order.h: events in order of time.
 *
 * The rules are perf's, ties included: records without a time pass at once;
 * the others are sorted by time, stable; a FINISHED_ROUND releases what is
 * not younger than the youngest record before the previous one.  A round
 * event that carries a time releases up to that time.
 *
 * What is kept back is copied: a sample as 56 bytes, its call chain as an id,
 * and its raw data if somebody wants them.
 */
#ifndef CP_MODEL_ORDER_H
#define CP_MODEL_ORDER_H

#include "base/diag.h"
#include "base/tuning.h"
#include "base/vec.h"
#include "model/callchain.h"
#include "model/event.h"
#include "model/evsel.h"
#include "model/event-pool.h"
#include "model/order-sort.h"

/*
 * A user stack that was unwound when it was read, by the mappings as they
 * were then; holds if their generation is the same at the sample's time.
 */
struct cp_early {
	uint32_t generation; /* 0: it was not */
	cp_stack_id stack;   /* what came of it */
	uint32_t dso;        /* that ended it */
	uint8_t end;         /* enum cp_unwind_end */
	bool unmapped;       /* its leaf is in no mapping */
	bool truncated;      /* the recorded chain was */
};

/* A kept event. */
struct cp_queued {
	uint64_t time, offset;
	uint64_t ip, period;
	uint32_t pid, tid, cpu;
	uint32_t chain; /* id, of samples; 0: see early */
	uint32_t evsel;
	uint16_t type16; /* record types that have a time fit */
	uint16_t misc;
	bool deferred; /* the user part of the chain comes by cookie */
	bool plain; /* a sample of a known event, nothing but chain and raw */
	uint32_t raw_size;
	uint64_t cookie;
	/* Other records, and samples with payload: a copy; else NULL. */
	struct cp_event *event;
	const uint8_t *raw;    /* event NULL: a copy of the only payload */
	struct cp_early early; /* event NULL: instead of its stack */
};

/*
 * A sample of fixed fields, a call chain and raw data, as most are.  What it
 * points to is valid until the reader goes on.
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

/*
 * A kept event as it waits.  Many thousands do, in two rounds, more than a
 * cache holds: they lie in the order they came in, which memory is fast at.
 * Raw data, or what few have, lie behind it.
 */
struct cp_slot {
	uint64_t offset, ip, period;
	uint32_t pid, tid, cpu, chain, evsel;
	uint16_t type;
	uint16_t misc;
	uint32_t size; /* bytes behind it */
	bool rest;     /* they are a cp_slot_rest, else raw data */
};
struct cp_slot_rest {
	struct cp_event *event; /* NULL: none */
	uint64_t cookie;
	bool deferred;
	struct cp_early early;
};

typedef int (*cp_order_sink)(void *ctx, const struct cp_queued *);
/* Unwinds the stack of a sample that can be read again, while the stack is
 * available.  False: it cannot now, and the event must be kept. */
typedef bool (*cp_order_early)(
    void *ctx, const struct cp_event *, struct cp_queued *);

struct cp_order {
	struct cp_chains *chains;
	const struct cp_evsels *evsels;
	struct cp_diags *diags;
	struct cp_quality *quality;
	cp_order_sink sink;
	void *ctx;
	cp_order_early early; /* NULL: stacks are unwound at delivery only */
	bool want_payload;    /* keep raw data, stacks, branches */
	bool want_stacks;     /* keep user stacks and registers */
	bool want_branches;   /* keep branches */
	bool no_lbr;          /* branches make no chains */
	bool as_recorded;     /* chains keep their leaf, see callchain.h */
	bool want_chains;     /* else the innermost address is all */
	bool want_places;     /* else not even that */
	bool rounds;          /* a FINISHED_ROUND was seen */
	uint64_t max_time, limit, delivered;
	struct cp_held held;
	CP_VEC(struct cp_order_key) waiting; /* sorted */
	CP_VEC(struct cp_order_key) arrived; /* since the last round */
	CP_VEC(struct cp_order_key) scratch;
	uint64_t *lbr;   /* a chain made from branches */
	uint64_t *exact; /* a chain whose leaf was corrected */
};

void cp_order_init(struct cp_order *, const struct cp_evsels *,
    struct cp_chains *, struct cp_quality *, struct cp_diags *, cp_order_sink,
    void *ctx);
/* Takes an event; delivers what may be delivered. */
int cp_order_push(struct cp_order *, const struct cp_event *);
/* Delivers the rest. */
int cp_order_end(struct cp_order *);
void cp_order_free(struct cp_order *);

/* ---------------------------------------------------------- plain samples */

/*
 * Takes samples without making events of them and delivers nothing.  Only
 * as many as cp_order_room() says, of an event that cp_order_takes() and with
 * a time that is neither 0 nor before what was delivered; no deferred chains.
 * Inline: the fields go from the record to where they wait in registers.
 */
static inline void cp_order_plain(struct cp_order *, const struct cp_plain *);
static inline bool
cp_order_takes(const struct cp_order *o, const struct cp_evsel_info *e)
{
	return e->plain && o->evsels->sample_id_all &&
	       !(o->want_payload && (e->attr.sample_type & CP_SAMPLE_ADDR));
}
/* So many, before it is asked again; 0: none. */
size_t cp_order_room(const struct cp_order *);

/* Room for what waits, and so many bytes behind it. */
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

/* Finds out where it was. */
void cp_order_place_(
    struct cp_order *, struct cp_slot *, const uint64_t *ips, uint64_t nr);

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
	if (o->want_places)
		cp_order_place_(o, s, p->ips, p->nr);
}

#endif
