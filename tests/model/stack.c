/* SPDX-License-Identifier: MIT */
/*
 * Chains and stacks are stored once: equal ones have the same id, others
 * another, and a node's parent stands before it.
 */
#include "base/limits.h"
#include "model/callchain.h"
#include "model/event.h"
#include "model/stack.h"

#include "tests/tap.h"

enum { MANY = 20000 };

static void
test_chains(void)
{
	const uint64_t a[] = { CP_CONTEXT_USER, 0x10, 0x20, 0x30 };
	const uint64_t b[] = { CP_CONTEXT_USER, 0x11, 0x20, 0x30 };
	const uint64_t k[] = { CP_CONTEXT_KERNEL, 0x90, 0x91 };
	const uint64_t mixed[] = { CP_CONTEXT_KERNEL, 0x90, CP_CONTEXT_USER,
		0x10 };
	const uint64_t guest[] = { CP_CONTEXT_GUEST_USER, 0x10 };
	const uint64_t wild[] = { CP_CONTEXT_USER, 0x10, 0x20, UINT64_MAX,
		0x30 };
	const uint64_t bare[] = { 0x10, 0x20, 0x30 };
	struct cp_chains c;
	uint32_t first, other;

	cp_chains_init(&c);
	first = cp_chains_add(&c, a, 4);
	other = cp_chains_add(&c, b, 4);
	ok(first != 0, "a chain has an id");
	is_u64(cp_chains_add(&c, a, 4), first, "the same chain the same");
	ok(other != first, "another chain another");
	is_u64(c.all.data[first].callers, c.all.data[other].callers,
	    "callers are stored once for both leaves");
	is_u64(c.all.data[first].leaf, 0x10, "the leaf is the innermost");
	is_u64(c.all.data[first].level, CP_LEVEL_USER, "in user code");
	is_u64(cp_chains_add(&c, a, 1), 0, "markers alone are no chain");
	first = cp_chains_add(&c, k, 3);
	ok(c.all.data[first].kernel, "kernel only");
	first = cp_chains_add(&c, mixed, 4);
	ok(!c.all.data[first].kernel, "kernel and user");
	is_u64(c.all.data[first].level, CP_LEVEL_KERNEL, "the leaf's level");
	first = cp_chains_add(&c, guest, 2);
	ok(c.all.data[first].guest, "of a guest");
	first = cp_chains_add(&c, wild, 5);
	ok(!c.all.data[first].guest, "a wild word is no guest's marker");
	is_u64(c.callers.data[c.all.data[first].callers].n, 2,
	    "callers up to the wild word are kept");
	first = cp_chains_add(&c, bare, 3);
	is_u64(c.all.data[first].level, CP_LEVEL_USER,
	    "user is what no marker means");
	cp_chains_free(&c);
}

static void
test_single(void)
{
	const uint64_t two[] = { 0x10, CP_LEVEL_USER };
	struct cp_chains c;
	uint32_t user, kernel;

	cp_chains_init(&c);
	user = cp_chains_single(&c, CP_LEVEL_USER, 0x10);
	kernel = cp_chains_single(&c, CP_LEVEL_KERNEL, 0x10);
	ok(user != kernel, "an address means what its level says");
	is_u64(cp_chains_single(&c, CP_LEVEL_USER, 0x10), user, "once each");
	ok(cp_chains_add(&c, two, 2) != user, "and is no chain of two words");
	is_u64(c.all.data[user].callers, 0, "it has no callers");
	cp_chains_free(&c);
}

/* Growing the tables loses nothing. */
static void
test_many_chains(void)
{
	static uint32_t ids[MANY];
	uint64_t words[CP_MAX_CHAIN] = { CP_CONTEXT_USER };
	struct cp_chains c;
	size_t wrong = 0;

	cp_chains_init(&c);
	for (uint64_t i = 0; i < MANY; i++) {
		words[1] = i;
		words[2] = i / 2;
		ids[i] = cp_chains_add(&c, words, 3);
		wrong += i != 0 && ids[i] <= ids[i - 1];
	}
	for (uint64_t i = 0; i < MANY; i++) {
		words[1] = i;
		words[2] = i / 2;
		wrong += cp_chains_add(&c, words, 3) != ids[i];
	}
	is_u64(wrong, 0, "%d chains keep their ids", MANY);
	is_u64(c.callers.len, MANY / 2 + 1, "with half as many callers");
	ok(cp_chains_add(&c, words, CP_MAX_CHAIN) != 0, "the longest chain");
	cp_chains_free(&c);
}

static void
test_frames(void)
{
	struct cp_frame f = { .addr = 0x10, .dso = 1, .level = CP_LEVEL_USER };
	struct cp_stacks s;
	cp_frame_id first;

	cp_stacks_init(&s);
	first = cp_stacks_frame(&s, &f);
	ok(first != 0, "a frame has an id");
	is_u64(cp_stacks_frame(&s, &f), first, "the same frame the same");
	f.dso = 2;
	ok(cp_stacks_frame(&s, &f) != first, "in another object another");
	f.dso = 1;
	f.level = CP_LEVEL_KERNEL;
	ok(cp_stacks_frame(&s, &f) != first, "on another level, too");
	f.level = CP_LEVEL_USER;
	f.flags = CP_FRAME_CALLER;
	ok(cp_stacks_frame(&s, &f) != first, "as a return address, too");
	cp_stacks_free(&s);
}

/* Several frames at once get the ids that each by itself would get. */
static void
test_many_frames(void)
{
	struct cp_frame f[CP_STACKS_FRAMES] = { 0 };
	cp_frame_id ids[CP_STACKS_FRAMES];
	struct cp_stacks one, many;
	size_t wrong = 0;

	cp_stacks_init(&one);
	cp_stacks_init(&many);
	for (uint32_t i = 0; i < MANY; i++) {
		uint32_t n = i % CP_STACKS_FRAMES + 1;

		for (uint32_t k = 0; k < n; k++)
			f[k].addr = (i + k) * UINT64_C(7) % 1000;
		cp_stacks_frames(&many, f, n, ids);
		for (uint32_t k = 0; k < n; k++)
			wrong += cp_stacks_frame(&one, &f[k]) != ids[k];
	}
	is_u64(wrong, 0, "frames found at once have the same ids");
	is_u64(many.frames.len, one.frames.len, "and each is kept once");
	cp_stacks_free(&one);
	cp_stacks_free(&many);
}

static void
test_trie(void)
{
	static cp_stack_id ids[MANY];
	struct cp_stacks s;
	size_t wrong = 0, nodes;

	cp_stacks_init(&s);
	for (uint32_t i = 0; i < MANY; i++) {
		struct cp_frame f = { .addr = i % 100 };

		ids[i] = cp_stacks_push(
		    &s, i < 100 ? 0 : ids[i - 100], cp_stacks_frame(&s, &f));
	}
	nodes = s.nodes.len;
	is_u64(nodes, MANY + 1, "a node for each stack and none");
	for (uint32_t i = 0; i < MANY; i++)
		wrong += cp_stacks_push(&s, s.nodes.data[ids[i]].parent,
			     s.nodes.data[ids[i]].frame) != ids[i];
	is_u64(wrong, 0, "the same stacks have the same ids");
	cp_stacks_settle(&s);
	for (uint32_t i = MANY; i-- > 0;)
		wrong += cp_stacks_push(&s, s.nodes.data[ids[i]].parent,
			     s.nodes.data[ids[i]].frame) != ids[i];
	is_u64(wrong, 0, "also when what finds them was freed");
	is_u64(s.nodes.len, nodes, "and no new nodes");
	for (uint32_t i = 1; i < s.nodes.len; i++)
		wrong += s.nodes.data[i].parent >= i;
	is_u64(wrong, 0, "a parent stands before its children");
	cp_stacks_free(&s);
}

int
main(void)
{
	test_chains();
	test_single();
	test_many_chains();
	test_frames();
	test_many_frames();
	test_trie();
	return done_testing();
}
