/* SPDX-License-Identifier: MIT */
/*
 * model/event-pool.h: memory for the copies of events that are kept back.
 *
 * Events come and go nearly in the same order, millions of them, so their
 * copies lie one behind the other in blocks; a block is used again when the
 * last of them is gone.
 */
#ifndef CP_MODEL_EVENT_POOL_H
#define CP_MODEL_EVENT_POOL_H

#include "model/event.h"

struct cp_held_block {
	struct cp_held_block *next; /* of those that are free */
	size_t live;                /* copies in it */
	size_t used, size;          /* bytes behind this struct */
};

struct cp_held {
	struct cp_held_block *current; /* NULL: none yet */
	struct cp_held_block *spare;
	size_t n_spare;
	size_t bytes; /* of the copies that are held */
};

/* In front of each copy. */
struct cp_held_place {
	struct cp_held_block *block;
};

struct cp_held_block *cp_held_block_(struct cp_held *, size_t n);
void cp_held_done_(struct cp_held *, struct cp_held_block *);

/* Memory for n bytes, aligned to 8. */
static inline void *
cp_held_take(struct cp_held *h, size_t n)
{
	size_t all = cp_align8(n + sizeof(struct cp_held_place));
	struct cp_held_block *b = h->current;
	struct cp_held_place *p;

	if (CP_UNLIKELY(b == NULL || all > b->size - b->used))
		b = cp_held_block_(h, all);
	p = (void *)((uint8_t *)(b + 1) + b->used);
	p->block = b;
	b->live++;
	b->used += all;
	h->bytes += n;
	return p + 1;
}

/* Gives n bytes back; of the copy of an event that is what `copied` says. */
static inline void
cp_held_drop(struct cp_held *h, const void *copy, size_t n)
{
	struct cp_held_block *b =
	    ((const struct cp_held_place *)copy)[-1].block;

	h->bytes -= n;
	if (CP_UNLIKELY(--b->live == 0))
		cp_held_done_(h, b);
}

struct cp_event *cp_held_copy(struct cp_held *, const struct cp_event *);
/* After the last event was dropped. */
void cp_held_free(struct cp_held *);

#endif
