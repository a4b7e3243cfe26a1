/* SPDX-License-Identifier: MIT */
#include "model/stack.h"

#include "base/limits.h"

/* At most, with nodes that stand for what the limit leaves out, and leaves. */
#define RESERVE(s) ((size_t)(s)->max + (s)->max / 4)

void
cp_stacks_init(struct cp_stacks *s)
{
	*s = (struct cp_stacks){ .max = CP_MAX_STACKS };
	*cp_vec_push(&s->frames) = (struct cp_frame){ 0 };
	*cp_vec_push(&s->nodes) = (struct cp_stack_node){ 0 };
}

static uint64_t
frame_hash(const struct cp_frame *f)
{
	return cp_mix(f->addr,
	    (uint64_t)f->dso << 16 | (uint64_t)f->level << 8 | f->flags);
}

static void
frames_rehash(struct cp_stacks *s)
{
	size_t slots =
	    s->frame_slots != NULL ? ((size_t)s->frame_mask + 1) * 2 : 1024;

	free(s->frame_slots);
	s->frame_slots = cp_xcalloc(slots, sizeof(*s->frame_slots));
	s->frame_mask = (uint32_t)(slots - 1);
	/* room up to the next growth of the table */
	cp_vec_reserve(&s->frames, slots / 2 + 1);
	for (uint32_t f = 1; f < s->frames.len; f++) {
		uint32_t i =
		    (uint32_t)frame_hash(&s->frames.data[f]) & s->frame_mask;

		while (s->frame_slots[i] != 0)
			i = (i + 1) & s->frame_mask;
		s->frame_slots[i] = f;
	}
}

static bool
frame_equal(const struct cp_frame *a, const struct cp_frame *b)
{
	return a->addr == b->addr && a->dso == b->dso && a->level == b->level &&
	       a->flags == b->flags;
}

/* The frame that stands for all that the limit leaves out. */
static cp_frame_id
deeper_frame(struct cp_stacks *s)
{
	s->over = true;
	if (s->deeper == 0) {
		s->deeper = (cp_frame_id)s->frames.len;
		*cp_vec_push(&s->frames) =
		    (struct cp_frame){ .level = CP_LEVEL_USER,
			    .flags = CP_FRAME_LOST | CP_FRAME_CALLER };
	}
	return s->deeper;
}

static inline cp_frame_id
frame_id(
    struct cp_stacks *s, const struct cp_frame *f, uint32_t hash, size_t room)
{
	uint32_t i;

	if (s->frame_slots == NULL || s->frames.len > s->frame_mask / 2)
		frames_rehash(s);
	for (i = hash & s->frame_mask; s->frame_slots[i] != 0;
	     i = (i + 1) & s->frame_mask)
		if (frame_equal(&s->frames.data[s->frame_slots[i]], f))
			return s->frame_slots[i];
	if (CP_UNLIKELY(s->frames.len > room))
		return deeper_frame(s);
	*cp_vec_push(&s->frames) = *f;
	s->frame_slots[i] = (uint32_t)s->frames.len - 1;
	return s->frame_slots[i];
}

cp_frame_id
cp_stacks_frame(struct cp_stacks *s, const struct cp_frame *f)
{
	return frame_id(s, f, (uint32_t)frame_hash(f), RESERVE(s));
}

/* Loads all slots at once, then all frames, as callers_fetch() does. */
void
cp_stacks_frames(
    struct cp_stacks *s, const struct cp_frame *f, uint32_t n, cp_frame_id *ids)
{
	uint32_t hash[CP_STACKS_FRAMES];

	if (CP_UNLIKELY(s->frame_slots == NULL))
		frames_rehash(s);
	for (uint32_t i = 0; i < n; i++) {
		hash[i] = (uint32_t)frame_hash(&f[i]);
		__builtin_prefetch(&s->frame_slots[hash[i] & s->frame_mask]);
	}
	for (uint32_t i = 0; i < n; i++)
		__builtin_prefetch(
		    &s->frames.data[s->frame_slots[hash[i] & s->frame_mask]]);
	for (uint32_t i = 0; i < n; i++)
		ids[i] = frame_id(s, &f[i], hash[i], s->max);
}

/* Hashes frames, not ids: then a chain's hashes need no look-up. */
static inline uint32_t
node_hash(uint32_t parent_hash, cp_frame_id frame)
{
	return (uint32_t)cp_hash64((uint64_t)parent_hash << 32 | frame);
}

static void
nodes_rehash(struct cp_stacks *s)
{
	size_t slots = 1024;

	while (s->hashed >= slots / 2)
		slots *= 2;
	free(s->node_slots);
	s->node_slots = cp_xcalloc(slots, sizeof(*s->node_slots));
	s->node_mask = (uint32_t)(slots - 1);
	for (uint32_t n = 1; n < s->nodes.len; n++) {
		const struct cp_stack_node *node = &s->nodes.data[n];
		uint32_t i = node->hash & s->node_mask;

		if (s->nodes.data[node->parent].first == n)
			continue;
		while (s->node_slots[i] != 0)
			i = (i + 1) & s->node_mask;
		s->node_slots[i] = n;
	}
}

/*
 * Most nodes are the first child of theirs, which needs no slot.  Slots hold
 * only ids: they are small and stay in the cache.
 */
static inline cp_stack_id
push(struct cp_stacks *s, cp_stack_id parent, cp_frame_id frame, uint32_t hash,
    size_t room)
{
	uint32_t *place = &s->nodes.data[parent].first;
	bool first = *place == 0;

	if (CP_LIKELY(!first && s->nodes.data[*place].frame == frame))
		return *place;
	if (CP_UNLIKELY(!first && s->hashed >= s->node_mask / 2))
		nodes_rehash(s);
	for (uint32_t i = hash; !first; i++) {
		const struct cp_stack_node *n;

		place = &s->node_slots[i & s->node_mask];
		n = &s->nodes.data[*place];
		if (*place == 0)
			break;
		if (n->hash == hash && n->parent == parent && n->frame == frame)
			return *place;
	}
	if (CP_UNLIKELY(s->nodes.len > room))
		return 0;
	*place = (uint32_t)s->nodes.len;
	s->hashed += !first;
	*cp_vec_push(&s->nodes) = (struct cp_stack_node){
		.parent = parent, .frame = frame, .hash = hash
	};
	return (cp_stack_id)s->nodes.len - 1;
}

static cp_stack_id
push_frame(
    struct cp_stacks *s, cp_stack_id parent, cp_frame_id frame, size_t room)
{
	return push(s, parent, frame,
	    node_hash(s->nodes.data[parent].hash, frame), room);
}

/*
 * The stack of new callers beyond the limit: one node below what they were
 * called from, while a quarter more nodes last; then one for all.
 */
static cp_stack_id
deeper(struct cp_stacks *s, cp_stack_id parent)
{
	cp_frame_id frame = deeper_frame(s);
	cp_stack_id stack;

	if (s->nodes.data[parent].frame == frame)
		return parent;
	stack = push_frame(s, parent, frame, RESERVE(s));
	return stack != 0 ? stack : push_frame(s, 0, frame, SIZE_MAX);
}

cp_stack_id
cp_stacks_push(struct cp_stacks *s, cp_stack_id parent, cp_frame_id frame)
{
	cp_stack_id stack = push_frame(s, parent, frame, s->max);

	if (CP_LIKELY(stack != 0))
		return stack;
	s->over = true;
	stack = push_frame(s, parent, frame, RESERVE(s));
	return stack != 0 ? stack
			  : push_frame(s, deeper(s, 0), frame, SIZE_MAX);
}

/* Loads all slots at once: the reads do not depend on each other. */
static void
callers_fetch(struct cp_stacks *s, cp_stack_id on, uint64_t *frames, uint32_t n)
{
	uint32_t hash = s->nodes.data[on].hash;

	for (uint32_t i = n; i-- > 1;)
		if (frames[i] != 0) {
			hash = node_hash(hash, (cp_frame_id)frames[i]);
			frames[i] |= (uint64_t)hash << 32;
			__builtin_prefetch(&s->node_slots[hash & s->node_mask]);
		}
	for (uint32_t i = n; i-- > 1;)
		if (frames[i] != 0)
			__builtin_prefetch(
			    &s->nodes.data[s->node_slots[frames[i] >> 32 &
							 s->node_mask]]);
}

cp_stack_id
cp_stacks_push_callers(
    struct cp_stacks *s, cp_stack_id on, uint64_t *frames, uint32_t n)
{
	cp_stack_id stack = on, next;

	if (CP_UNLIKELY(s->node_slots == NULL))
		nodes_rehash(s);
	callers_fetch(s, on, frames, n);
	while (n-- > 1) {
		if (frames[n] == 0)
			continue;
		next = push(s, stack, (cp_frame_id)frames[n],
		    (uint32_t)(frames[n] >> 32), s->max);
		if (CP_UNLIKELY(next == 0))
			return deeper(s, stack);
		stack = next;
	}
	return stack;
}

void
cp_stacks_settle(struct cp_stacks *s)
{
	free(s->node_slots);
	s->node_slots = NULL;
	s->node_mask = 0;
}

void
cp_stacks_free(struct cp_stacks *s)
{
	cp_vec_free(&s->frames);
	cp_vec_free(&s->nodes);
	free(s->frame_slots);
	free(s->node_slots);
	*s = (struct cp_stacks){ 0 };
}
