/* SPDX-License-Identifier: MIT */
/*
 * Memory is there or the handler is called: every allocation can be made to
 * fail, and sizes that overflow fail by themselves.
 */
#include "base/vec.h"

#include <setjmp.h>

#include "tests/tap.h"

static jmp_buf away;
static volatile size_t wanted;

static void
on_oom(size_t n)
{
	wanted = n;
	longjmp(away, 1);
}

static void
test_arena(void)
{
	struct cp_arena a = { 0 };
	unsigned dirty = 0, crooked = 0;

	cp_arena_alloc(&a, 16);
	ok(a.end - a.at < 4 << 10, "an arena begins with a page");
	for (size_t n = 0; n < 3000; n++) {
		uint8_t *p = cp_arena_alloc(&a, n);

		crooked += ((uintptr_t)p & 15) != 0;
		for (size_t i = 0; i < n; i++)
			dirty += p[i] != 0;
		memset(p, 0xff, n);
	}
	is_u64(dirty, 0, "an arena's memory is zeroed and never shared");
	is_u64(crooked, 0, "and aligned");
	ok(a.used > (size_t)4 << 20 && a.end - a.at < 256 << 10,
	    "and at most so much of it is not in use");
	is_str(cp_arena_strndup(&a, "abcdef", 3), "abc", "a copy of a text");
	cp_arena_free(&a);
	is_u64(a.used, 0, "freed at once");
}

static void
test_large(void)
{
	const size_t size = (size_t)8 << 20;
	struct cp_arena a = { 0 };
	uint8_t *first = cp_arena_alloc(&a, size);
	uint8_t *small = cp_arena_alloc(&a, 16);
	uint8_t *second = cp_arena_alloc(&a, size);

	ok(first[0] == 0 && first[size - 1] == 0 && second[0] == 0 &&
		second[size - 1] == 0,
	    "large blocks are zeroed");
	memset(first, 1, size);
	memset(second, 2, size);
	ok(cp_arena_alloc(&a, 16) == small + 16,
	    "and leave the rest of the block before them to small ones");
	is_u64(a.used, 2 * size + 32, "and are counted");
	cp_arena_drop(&a, first, size);
	cp_arena_drop(&a, small, 16);
	cp_arena_drop(&a, NULL, size);
	is_u64(a.used, size + 32, "and given back one by one, small ones not");
	ok(second[0] == 2 && second[size - 1] == 2, "others stay");
	cp_arena_free(&a);
	ok(a.head == NULL && a.large == NULL, "and freed");
}

static void
test_vec(void)
{
	CP_VEC(uint64_t) words = { 0 };
	CP_VEC(struct { char text[200]; }) notes = { 0 };

	(void)cp_vec_push(&notes);
	ok(notes.cap * sizeof(*notes.data) <= 256,
	    "an array of one large element is no larger than need be");
	for (uint64_t i = 0; i < 1000; i++)
		*cp_vec_push(&words) = i;
	ok(words.len == 1000 && words.data[999] == 999 && words.cap < 2000,
	    "an array grows");
	cp_vec_free(&words);
	cp_vec_free(&notes);
}

/* Whether the n-th allocation from now calls the handler. */
static bool
fails(void *(*allocate)(void))
{
	void *p;

	if (setjmp(away) != 0)
		return true;
	p = allocate();
	free(p);
	return false;
}

static void *
product_overflows(void)
{
	return cp_xrealloc(NULL, SIZE_MAX / 2, 3);
}

static void *
too_much(void)
{
	return cp_xcalloc(SIZE_MAX / 2, 3);
}

static void *
one(void)
{
	return cp_xmalloc(1);
}

static void *
arena_too_large(void)
{
	static struct cp_arena a;

	return cp_arena_alloc(&a, SIZE_MAX - 3);
}

static void
test_failure(void)
{
	cp_mem_on_oom(on_oom);
	ok(fails(product_overflows), "a product that overflows is refused");
	ok(fails(too_much), "and with calloc");
	ok(fails(arena_too_large), "an arena does not wrap around");
	cp_mem_fail_after(2);
	ok(!fails(one), "the first of two allocations succeeds");
	ok(fails(one), "the second fails as asked");
	is_u64(wanted, 1, "the handler knows what was wanted");
	ok(!fails(one), "and the next succeeds again");
}

int
main(void)
{
	test_arena();
	test_large();
	test_vec();
	test_failure();
	return done_testing();
}
