/* SPDX-License-Identifier: MIT */
#include "model/held.h"

#include "base/mem.h"

enum {
	BLOCK = 256 << 10,
	SPARE = 16, /* blocks that are kept for later */
};

/* In front of each copy. */
struct place {
	struct cp_held_block *block;
};

static struct cp_held_block *
block_new(size_t size)
{
	struct cp_held_block *b = cp_xmalloc(sizeof(*b) + size);

	*b = (struct cp_held_block) { .size = size };
	return b;
}

static void
block_done(struct cp_held *h, struct cp_held_block *b)
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

/* The next block; the one before it comes back when its events are gone. */
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
		block_done(h, before);
	return b;
}

/* Memory for n bytes and the word in front of them. */
static struct cp_held_block *
block_for(struct cp_held *h, size_t n)
{
	struct cp_held_block *b = h->current;

	if (CP_LIKELY(b != NULL && n <= b->size - b->used))
		return b;
	return n > BLOCK ? block_new(n) : block_next(h);
}

static void *
take(struct cp_held *h, size_t n)
{
	struct cp_held_block *b = block_for(h, n + sizeof(struct place));
	struct place *p = (void *)((uint8_t *)(b + 1) + b->used);

	p->block = b;
	b->live++;
	b->used += cp_align8(n + sizeof(*p));
	h->bytes += n;
	return p + 1;
}

struct cp_event *
cp_held_copy(struct cp_held *h, const struct cp_event *ev)
{
	size_t n = cp_event_copy_size(ev);
	struct cp_event *copy = take(h, n);

	cp_event_copy_to(copy, ev, n);
	return copy;
}

const uint8_t *
cp_held_bytes(struct cp_held *h, const void *bytes, size_t n)
{
	return memcpy(take(h, n), bytes, n);
}

void
cp_held_drop(struct cp_held *h, const void *copy, size_t n)
{
	struct cp_held_block *b = ((const struct place *)copy)[-1].block;

	h->bytes -= n;
	if (--b->live == 0)
		block_done(h, b);
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
	*h = (struct cp_held) { 0 };
}
