/* SPDX-License-Identifier: MIT */
#include "model/order/pool.h"

#include "base/mem.h"

enum {
	BLOCK = 256 << 10,
	/* free blocks that are kept: as many as a usual round needs */
	SPARE = 256,
};

static struct cp_held_block *
block_new(size_t size)
{
	struct cp_held_block *b = cp_xmalloc(sizeof(*b) + size);

	*b = (struct cp_held_block){ .size = size };
	return b;
}

void
cp_held_done_(struct cp_held *h, struct cp_held_block *b)
{
	b->used = 0;
	if (b == h->current)
		return;
	if (b->size != BLOCK || h->n_spare == SPARE) {
		free(b);
		return;
	}
	b->next = h->spare;
	h->spare = b;
	h->n_spare++;
}

/* Starts the next block.  The previous one is freed with its last event. */
static struct cp_held_block *
block_next(struct cp_held *h)
{
	struct cp_held_block *b = h->spare, *before = h->current;

	if (b != NULL) {
		h->spare = b->next;
		h->n_spare--;
	} else {
		b = block_new(BLOCK);
	}
	h->current = b;
	if (before != NULL && before->live == 0)
		cp_held_done_(h, before);
	return b;
}

/* Returns a block with room for n more bytes. */
struct cp_held_block *
cp_held_block_(struct cp_held *h, size_t n)
{
	return n > BLOCK ? block_new(n) : block_next(h);
}

struct cp_event *
cp_held_copy(struct cp_held *h, const struct cp_event *ev)
{
	size_t n = cp_event_copy_size(ev);
	struct cp_event *copy = cp_held_take(h, n);

	cp_event_copy_to(copy, ev, n);
	return copy;
}

void
cp_held_free(struct cp_held *h)
{
	struct cp_held_block *b = h->spare, *next;

	free(h->current);
	for (; b != NULL; b = next) {
		next = b->next;
		free(b);
	}
	*h = (struct cp_held){ 0 };
}
