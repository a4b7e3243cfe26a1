/* SPDX-License-Identifier: MIT */
/*
 * model/stack.h: frames and the trie of stacks.
 *
 * A stack is a node (its caller's stack, frame); equal stacks are one node.
 * The parent of a node always has the smaller id.  Frame 0 and stack 0 are
 * "none".  Beyond the limit a new frame becomes the frame "deeper", and of a
 * new stack the longest outer part that was seen before stays, "deeper" below
 * it, and the innermost frame.
 */
#ifndef CP_MODEL_STACK_H
#define CP_MODEL_STACK_H

#include "base/hash.h"
#include "base/vec.h"

struct cp_stack_node {
	cp_stack_id parent;
	cp_frame_id frame;
	cp_stack_id first; /* child; 0: none */
	uint32_t hash; /* hash of all frames from the outermost to this one */
};

struct cp_stacks {
	CP_VEC(struct cp_frame) frames;
	uint32_t *frame_slots; /* frame ids, 0: empty */
	uint32_t frame_mask;
	CP_VEC(struct cp_stack_node) nodes;
	/* Ids of nodes that are no first child, by hash; 0: empty. */
	uint32_t *node_slots;
	uint32_t node_mask, hashed;
	uint32_t max;       /* of nodes, and of frames */
	cp_frame_id deeper; /* 0: not needed yet */
	bool over;          /* the limit was reached */
};

void cp_stacks_init(struct cp_stacks *);
cp_frame_id cp_stacks_frame(struct cp_stacks *, const struct cp_frame *);
/* Does the same for n frames, at most CP_STACKS_FRAMES, and is faster. */
#define CP_STACKS_FRAMES 16u
void cp_stacks_frames(
    struct cp_stacks *, const struct cp_frame *, uint32_t n, cp_frame_id *ids);
cp_stack_id cp_stacks_push(struct cp_stacks *, cp_stack_id parent, cp_frame_id);
/*
 * Returns the stack of frames[n - 1], which the stack `on' called, up to
 * frames[1]; 0: no frame.  Overwrites the upper halves of frames with hashes.
 */
cp_stack_id cp_stacks_push_callers(
    struct cp_stacks *, cp_stack_id on, uint64_t *frames, uint32_t n);
/* lost-callers.c: the frame that stands for a lost caller; 0: none. */
cp_frame_id cp_stacks_lost(const struct cp_stacks *, cp_stack_id);
/* Frees what finds stacks again; the next push makes it anew. */
void cp_stacks_settle(struct cp_stacks *);
void cp_stacks_free(struct cp_stacks *);

#endif
