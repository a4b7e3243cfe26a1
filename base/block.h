/* SPDX-License-Identifier: MIT */
/*
 * base/block.h: a piece of the input that stays as long as somebody uses it.
 *
 * Users are counted by the one thread that reads; others look at the bytes
 * while it is a user on their behalf.
 */
#ifndef CP_BASE_BLOCK_H
#define CP_BASE_BLOCK_H

#include <stdatomic.h>
#include <stdbool.h>

struct cp_block {
	unsigned users;
	atomic_bool lost; /* some of it is not there any more */
	void (*release)(struct cp_block *);
};

static inline void
cp_block_keep(struct cp_block *b)
{
	b->users++;
}

static inline void
cp_block_drop(struct cp_block *b)
{
	if (--b->users == 0)
		b->release(b);
}

static inline bool
cp_block_lost(const struct cp_block *b)
{
	return atomic_load_explicit(&b->lost, memory_order_relaxed);
}

#endif
