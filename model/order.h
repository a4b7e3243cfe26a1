/* SPDX-License-Identifier: MIT */
/*
 * model/order.h: events in order of time.
 *
 * The rules are perf's, ties included: records without a time pass at once;
 * the others are sorted by time, stable; a FINISHED_ROUND releases what is
 * not younger than the youngest record before the previous one.  A round
 * event that carries a time releases up to that time.
 *
 * What is kept back is copied: a sample as 80 bytes, its call chain as an id.
 */
#ifndef CP_MODEL_ORDER_H
#define CP_MODEL_ORDER_H

#include "base/diag.h"
#include "base/vec.h"
#include "model/chain.h"
#include "model/event.h"
#include "model/evsel.h"

struct cp_order_key {
	uint64_t time;
	uint32_t slot;
};

/* A kept event. */
struct cp_queued {
	uint64_t time, offset;
	uint64_t ip, period;
	uint32_t pid, tid, cpu;
	uint32_t chain; /* id, of samples */
	uint32_t evsel;
	uint16_t type16; /* record types that have a time fit */
	uint16_t misc;
	bool deferred; /* the user part of the chain comes by cookie */
	uint64_t cookie;
	/* Other records, and samples with payload: a copy; else NULL. */
	struct cp_event *event;
};

/*
 * Samples whose chain is being looked up: the table is larger than a cache,
 * so the look-up happens CP_ORDER_PENDING samples after the fetch began.
 */
enum { CP_ORDER_PENDING = 8, CP_ORDER_WORDS = 160 };
struct cp_order_pending {
	struct cp_hash128 hash;
	uint32_t slot, n;
	uint64_t ips[CP_ORDER_WORDS];
};

typedef int (*cp_order_sink)(void *ctx, const struct cp_queued *);

struct cp_order {
	struct cp_chains *chains;
	const struct cp_evsels *evsels;
	struct cp_diags *diags;
	struct cp_quality *quality;
	cp_order_sink sink;
	void *ctx;
	bool unordered; /* no times to sort by: file order */
	bool want_payload; /* keep raw data, stacks, branches */
	bool want_chains; /* else the innermost address is all */
	bool rounds; /* a FINISHED_ROUND was seen */
	uint64_t max_time, limit, delivered;
	size_t held_bytes;
	CP_VEC(struct cp_queued) slots;
	CP_VEC(uint32_t) free_slots;
	CP_VEC(struct cp_order_key) waiting; /* sorted */
	CP_VEC(struct cp_order_key) arrived; /* since the last round */
	CP_VEC(struct cp_order_key) scratch;
	uint64_t *lbr; /* a chain made from branches */
	struct cp_order_pending *pending;
	size_t pending_first, pending_len;
};

void cp_order_init(struct cp_order *, const struct cp_evsels *,
    struct cp_chains *,
    struct cp_quality *, struct cp_diags *, cp_order_sink, void *ctx);
/* Takes an event; delivers what may be delivered. */
int cp_order_push(struct cp_order *, const struct cp_event *);
/* Delivers the rest. */
int cp_order_end(struct cp_order *);
void cp_order_free(struct cp_order *);

/* sort.c: natural merge sort, stable; scratch has room for n. */
void cp_order_sort(
    struct cp_order_key *, size_t n, struct cp_order_key *scratch);

#endif
