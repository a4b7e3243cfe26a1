/* SPDX-License-Identifier: MIT */
/*
 * base/mem.h: allocators that never return NULL.
 *
 * When memory runs out they call the handler that cli/ installed (which removes
 * unfinished output and exits with status 5) or abort.  base/ itself prints
 * nothing.
 *
 * An arena is a region: it is freed as a whole, only large objects one by one.
 * Its allocations are zeroed and aligned to 16 bytes.
 */
#ifndef CP_BASE_MEM_H
#define CP_BASE_MEM_H

#include "base/base.h"

typedef void (*cp_oom_fn)(size_t wanted);

void cp_mem_on_oom(cp_oom_fn handler);
/* Ends the run; for a library that ran out of memory. */
CP_NORETURN void cp_out_of_memory(size_t wanted);
void cp_mem_fail_after(uint64_t allocations); /* for tests; 0: never */
/*
 * Puts the heap and large arrays in large pages.  Call it before the first
 * allocation.
 */
void cp_mem_large_pages(void);
/*
 * From now on gives smaller arrays a place of their own, too, from where they
 * go back to the kernel.
 */
void cp_mem_give_back(void);

void *cp_xmalloc(size_t n);
/* checks count * size for overflow */
void *cp_xcalloc(size_t count, size_t size);
void *cp_xrealloc(void *p, size_t count, size_t size);

struct cp_arena_block;
struct cp_arena {
	struct cp_arena_block *head, *large;
	uint8_t *at, *end;
	size_t used; /* bytes handed out */
};

void *cp_arena_alloc(struct cp_arena *, size_t n);
/*
 * Gives back an allocation of n bytes before the arena is freed, if it is a
 * large one.
 */
void cp_arena_drop(struct cp_arena *, void *, size_t n);
char *cp_arena_strndup(struct cp_arena *, const char *, size_t n);
void cp_arena_free(struct cp_arena *);

/* The cleanup attribute's free(). */
void cp_cleanup_free(void *pp);

#endif
