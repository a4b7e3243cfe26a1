/* SPDX-License-Identifier: MIT */
/*
 * model/batch.h: samples whose user stacks are unwound together, by one
 * thread beside the one that reads.
 *
 * They lie in one block of the input, and their address spaces stay as they
 * are until all batches are finished: only an event that is no sample changes
 * mappings.  What was found becomes stacks in the order of the input.
 */
#ifndef CP_MODEL_BATCH_H
#define CP_MODEL_BATCH_H

#include "base/pool.h"
#include "base/vec.h"
#include "model/order.h"

struct cp_event;
struct cp_process;
struct cp_session;

/* What came of a stack that was unwound beside. */
struct cp_beside {
	size_t at; /* of its words */
	uint32_t n;
	bool missed, again, vain; /* see cp_unwind */
	uint8_t end;
	uint32_t dso;
	uint64_t missed_ip;
};

typedef CP_VEC(uint64_t) cp_word_list;

struct cp_batch_item {
	struct cp_process *process;
	struct cp_early *to;     /* where the answer is waited for */
	uint64_t number, offset; /* of the record */
	/* Of the sample; what it points to is in the block. */
	uint64_t ip, nr;
	uint32_t evsel;
	bool swap;
	uint64_t user_abi, user_mask, user_stack_size, user_stack_granted;
	const uint8_t *user_regs, *user_stack;
	/* The words of the chain: first those of the kernel. */
	uint32_t head;
	size_t head_at;
	struct cp_beside found;
};

struct cp_batch {
	struct cp_work work;
	struct cp_session *session;
	struct cp_block *block; /* NULL: it is empty */
	CP_VEC(struct cp_batch_item) items;
	cp_word_list heads, words;
};

/* The oldest first; the last is being filled. */
enum { CP_BATCHES = CP_MAX_UNWIND_WORKERS + 2 };
struct cp_batches {
	struct cp_pool *pool; /* NULL: stacks are unwound when they are read */
	unsigned most, first, n;
	struct cp_batch all[CP_BATCHES];
};

/* From now on, with so many threads. */
void cp_session_unwind_beside(
    struct cp_session *, struct cp_pool *, unsigned threads);
/* Sees to it that one takes a sample of the block; others may be finished. */
void cp_session_batch_room(struct cp_session *, struct cp_block *);
/* Its stack will be there after cp_session_unwound(), if not before. */
void cp_session_unwind_later(struct cp_session *, struct cp_process *,
    const struct cp_event *, size_t head, struct cp_queued *);
void cp_session_unwound(struct cp_session *);
/* One stack, by that worker; the words lie where there is room for max. */
void cp_session_unwind_one(struct cp_session *, struct cp_process *,
    const struct cp_event *, uint64_t *words, size_t max, unsigned worker,
    struct cp_beside *out);
void cp_batches_free(struct cp_batches *);

#endif
