/* SPDX-License-Identifier: MIT */
/*
 * model/order/pool.h: memory for copies of events that are held back.
 *
 * Millions of events are allocated and freed in nearly the same order.  So
 * copies are packed into blocks, and a block is reused when its last copy is
 * gone.
 */
#ifndef CP_MODEL_ORDER_POOL_H
#define CP_MODEL_ORDER_POOL_H

#include "model/event.h"

struct cp_held_block {
	struct cp_held_block *next; /* next free block */
	size_t live;                /* copies in use */
	size_t used, size;          /* bytes after this struct */
};

struct cp_held {
	struct cp_held_block *current; /* NULL: none yet */
	struct cp_held_block *spare;
	size_t n_spare;
	size_t bytes; /* bytes of all copies in use */
};

/* The header of each copy. */
struct cp_held_place {
	struct cp_held_block *block;
};

struct cp_held_block *cp_held_block_(struct cp_held *, size_t n);
void cp_held_done_(struct cp_held *, struct cp_held_block *);

/* Allocates n bytes, aligned to 8. */
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

/* Frees a copy of n bytes; for an event n is its `copied`. */
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
/* Frees the blocks.  All copies must have been dropped. */
void cp_held_free(struct cp_held *);

#endif
