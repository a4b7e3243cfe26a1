/* SPDX-License-Identifier: MIT */
/*
 * model/ahead.h: samples that were kept with their user stacks, unwound by
 * threads beside while those before them are delivered.
 *
 * They are unwound by the mappings that are known when they are handed over.
 * What came of it is used if these are the same when the sample is delivered;
 * else it is unwound then, as if nobody had looked ahead.  So stacks get
 * their ids, and users their messages, in the order of delivery.  Code of a
 * jitdump counts as mappings do: see cp_jit_look().
 */
#ifndef CP_MODEL_AHEAD_H
#define CP_MODEL_AHEAD_H

#include "model/batch.h"

enum {
	CP_AHEAD_ITEMS = 64, /* of a batch */
	CP_AHEAD_BATCHES = 8,
};

struct cp_ahead_item {
	struct cp_event *event; /* stays until it was delivered */
	struct cp_process *process;
	uint32_t generation;
	uint32_t head;  /* words of the kernel in front */
	uint32_t epoch; /* it was unwound in */
	struct cp_beside found;
};

struct cp_ahead_batch {
	struct cp_work work;
	struct cp_session *session;
	size_t n, taken;
	bool sent; /* to others */
	bool done; /* by them, as far as is known */
	struct cp_ahead_item item[CP_AHEAD_ITEMS];
	cp_word_list words;
};

/* The oldest first; the last may be being filled. */
struct cp_ahead {
	unsigned first, n;
	uint32_t epoch;             /* a new one when mappings may change */
	struct cp_ahead_batch *all; /* NULL: nobody looks ahead */
	const struct cp_ahead_item *found; /* of the sample at hand; or NULL */
	const uint64_t *words;             /* of that one */
};

/* False: there is no room now.  What cannot be unwound ahead is not taken. */
bool cp_session_ahead(struct cp_session *, const struct cp_queued *);
/* Nothing more is handed over before others are delivered. */
void cp_session_ahead_send(struct cp_session *);
/* The sample is being delivered: looks for what was found. */
void cp_session_ahead_take(struct cp_session *, const struct cp_event *);
/* Until nobody is at it: mappings are about to change. */
void cp_session_ahead_rest(struct cp_session *);
void cp_ahead_free(struct cp_ahead *);

#endif
