/* SPDX-License-Identifier: MIT */
/* model/order/queue.h: what waits for its turn in the order of time. */
#ifndef CP_MODEL_ORDER_QUEUE_H
#define CP_MODEL_ORDER_QUEUE_H

#include "base/diag.h"
#include "base/vec.h"
#include "model/callchain.h"
#include "model/event.h"
#include "model/evsel.h"
#include "model/order/pool.h"
#include "model/order/sort.h"

/*
 * The result of unwinding a user stack when its record was read.  It holds if
 * the mappings have the same generation at the sample's time.
 */
struct cp_early {
	uint32_t generation; /* 0: not unwound early */
	cp_stack_id stack;   /* the stack that was found */
	uint32_t dso;        /* object whose frame ended the walk */
	uint8_t end;         /* enum cp_unwind_end */
	bool unmapped;       /* the leaf is in no mapping */
	bool truncated;      /* the recorded chain was cut at its limit */
};

/* An event that was held back. */
struct cp_queued {
	uint64_t time, offset;
	uint64_t ip, period;
	uint32_t pid, tid, cpu;
	uint32_t chain; /* id of a sample's chain; 0: see early */
	uint32_t evsel;
	uint16_t type16; /* record type; types with a time fit 16 bits */
	uint16_t misc;
	bool deferred; /* the user part of the chain comes in a later record */
	bool plain; /* a known event's sample with at most chain and raw data */
	uint32_t raw_size;
	uint64_t cookie;
	/* A copy of other records, and of samples with payload; else NULL. */
	struct cp_event *event;
	const uint8_t *raw;    /* event NULL: a copy of raw data */
	struct cp_early early; /* event NULL: its stack, unwound early */
};

/*
 * A held event in compact form.  Many thousands wait in two rounds, more than a
 * cache holds, so they are stored in the order of arrival, which is fast to
 * read.  Raw data or the rare fields follow.
 */
struct cp_slot {
	uint64_t offset, ip, period;
	uint32_t pid, tid, cpu, chain, evsel;
	uint16_t type;
	uint16_t misc;
	uint32_t size; /* bytes that follow */
	bool rest;     /* a cp_slot_rest follows, else raw data */
};
struct cp_slot_rest {
	struct cp_event *event; /* NULL: none */
	uint64_t cookie;
	bool deferred;
	struct cp_early early;
};

typedef int (*cp_order_sink)(void *ctx, const struct cp_queued *);
/*
 * Unwinds the stack of a sample that can be read again.  False: not possible
 * now, so the event must be kept.
 */
typedef bool (*cp_order_early)(
    void *ctx, const struct cp_event *, struct cp_queued *);

struct cp_order {
	struct cp_chains *chains;
	const struct cp_evsels *evsels;
	struct cp_diags *diags;
	struct cp_quality *quality;
	cp_order_sink sink;
	void *ctx;
	cp_order_early early; /* NULL: stacks are unwound at delivery */
	bool want_payload;    /* keep raw data, stacks, branches */
	bool want_stacks;     /* keep user stacks and registers */
	bool want_branches;   /* keep branches */
	bool no_lbr;          /* ignore call stacks made of branches */
	/* keep the chain's recorded leaf, see callchain.h */
	bool as_recorded;
	bool want_chains; /* false: the innermost address is enough */
	bool want_places; /* false: not even that address is needed */
	bool rounds;      /* a FINISHED_ROUND was seen */
	uint64_t max_time, limit, delivered;
	struct cp_held held;
	CP_VEC(struct cp_order_key) waiting; /* sorted by time */
	/* unsorted, since the last round */
	CP_VEC(struct cp_order_key) arrived;
	CP_VEC(struct cp_order_key) scratch;
	uint64_t *lbr;   /* a chain made from branches */
	uint64_t *exact; /* a chain whose leaf was corrected */
};

/*
 * Sets the fields of *q, with the id of the chain.  A user stack is unwound if
 * that is possible now.
 */
void cp_order_describe(
    struct cp_order *, const struct cp_event *, struct cp_queued *);
/*
 * Copies what the queue's analyses want of the event: all of it, its raw data,
 * or nothing.  The user stack is copied only if it is wanted.
 */
void cp_order_keep(
    struct cp_order *, const struct cp_event *, struct cp_queued *);
/* Sets the sample's chain, or its innermost address. */
void cp_order_place_(
    struct cp_order *, struct cp_slot *, const uint64_t *ips, uint64_t nr);

#endif
