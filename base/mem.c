/* SPDX-License-Identifier: MIT */
#include "base/mem.h"

#include "base/port.h"

/* Sizes of an arena's first block (often its only one) and of the largest. */
#define BLOCK_FIRST ((size_t)4 << 10)
#define BLOCK_SIZE ((size_t)256 << 10)
/* Larger requests get a block of their own: they would waste its rest. */
#define BLOCK_SHARED ((size_t)32 << 10)

struct cp_arena_block {
	struct cp_arena_block *next, *prev; /* prev: of large blocks only */
};
#define HEAD ((sizeof(struct cp_arena_block) + 15) & ~(size_t)15)

static cp_oom_fn oom_handler;
static uint64_t fail_countdown;
static size_t large_from = SIZE_MAX; /* bytes of arrays in large pages */

void
cp_mem_on_oom(cp_oom_fn handler)
{
	oom_handler = handler;
}

void
cp_mem_fail_after(uint64_t allocations)
{
	fail_countdown = allocations;
}

void
cp_out_of_memory(size_t wanted)
{
	if (oom_handler != NULL)
		oom_handler(wanted);
	abort();
}

void
cp_mem_large_pages(void)
{
	large_from = cp_port_heap();
}

/*
 * Arrays that grow in turns, each to half as much again, leave holes in one
 * heap that nothing fits into.
 */
void
cp_mem_give_back(void)
{
	cp_port_heap_full();
}

static bool
must_fail(void)
{
	return fail_countdown != 0 && --fail_countdown == 0;
}

void *
cp_xmalloc(size_t n)
{
	void *p = must_fail() ? NULL : malloc(n != 0 ? n : 1);

	if (p == NULL)
		cp_out_of_memory(n);
	return p;
}

void *
cp_xcalloc(size_t count, size_t size)
{
	void *p = must_fail() ? NULL : calloc(count != 0 ? count : 1, size);

	if (p == NULL)
		cp_out_of_memory(size);
	if (CP_UNLIKELY(count * size >= large_from))
		cp_port_array_large(p);
	return p;
}

/* An array leaves the heap when it becomes large: there, it would be copied. */
static void *
grow_large(void *p, size_t n)
{
	size_t old = p != NULL ? cp_port_array_size(p) : 0;
	void *to = old < large_from ? malloc(n) : realloc(p, n);

	if (to == NULL)
		return NULL;
	cp_port_array_large(to);
	if (p != NULL && old < large_from) {
		memcpy(to, p, old);
		free(p);
	}
	return to;
}

void *
cp_xrealloc(void *p, size_t count, size_t size)
{
	size_t n;

	if (__builtin_mul_overflow(count, size, &n))
		cp_out_of_memory(SIZE_MAX);
	if (must_fail())
		p = NULL;
	else if (CP_UNLIKELY(n >= large_from))
		p = grow_large(p, n);
	else
		p = realloc(p, n != 0 ? n : 1);
	if (p == NULL)
		cp_out_of_memory(n);
	return p;
}

static void
arena_grow(struct cp_arena *a, size_t n)
{
	size_t size = CP_MIN(CP_MAX(a->used, BLOCK_FIRST), BLOCK_SIZE);
	struct cp_arena_block *b;

	size = CP_MAX(n + HEAD, size);
	b = cp_xmalloc(size);
	b->next = a->head;
	a->head = b;
	a->at = (uint8_t *)b + HEAD;
	a->end = (uint8_t *)b + size;
}

/*
 * A large request gets a block of its own in another list.  calloc() returns
 * fresh pages untouched: an array that grows by doubling costs only the memory
 * it fills.
 */
static void *
arena_large(struct cp_arena *a, size_t n)
{
	struct cp_arena_block *b = cp_xcalloc(1, n + HEAD);

	b->next = a->large;
	if (b->next != NULL)
		b->next->prev = b;
	a->large = b;
	a->used += n;
	return (uint8_t *)b + HEAD;
}

/* Returns uninitialized room in the current block, or in a new one. */
static void *
arena_room(struct cp_arena *a, size_t n)
{
	void *p;

	if (n > (size_t)(a->end - a->at))
		arena_grow(a, n);
	p = a->at;
	a->at += n;
	a->used += n;
	return p;
}

static size_t
rounded(size_t n)
{
	if (n > SIZE_MAX / 2)
		cp_out_of_memory(n);
	/* At least 16: an empty array has an address too. */
	return n != 0 ? (n + 15) & ~(size_t)15 : 16;
}

void *
cp_arena_alloc(struct cp_arena *a, size_t n)
{
	n = rounded(n);
	if (n > BLOCK_SHARED)
		return arena_large(a, n);
	return memset(arena_room(a, n), 0, n);
}

void
cp_arena_drop(struct cp_arena *a, void *p, size_t n)
{
	struct cp_arena_block *b;

	n = rounded(n);
	if (p == NULL || n <= BLOCK_SHARED)
		return;
	b = (struct cp_arena_block *)((uint8_t *)p - HEAD);
	if (b->next != NULL)
		b->next->prev = b->prev;
	if (b->prev != NULL)
		b->prev->next = b->next;
	else
		a->large = b->next;
	a->used -= n;
	free(b);
}

char *
cp_arena_strndup(struct cp_arena *a, const char *s, size_t n)
{
	size_t size = rounded(n + 1);
	char *d =
	    size > BLOCK_SHARED ? arena_large(a, size) : arena_room(a, size);

	memcpy(d, s, n);
	d[n] = '\0';
	return d;
}

static void
blocks_free(struct cp_arena_block *b)
{
	while (b != NULL) {
		struct cp_arena_block *next = b->next;

		free(b);
		b = next;
	}
}

void
cp_arena_free(struct cp_arena *a)
{
	blocks_free(a->head);
	blocks_free(a->large);
	*a = (struct cp_arena){ 0 };
}

void
cp_cleanup_free(void *pp)
{
	void *p;

	memcpy(&p, pp, sizeof(p));
	free(p);
}
