/* SPDX-License-Identifier: MIT */
/*
 * base/mem.h: memory that is there or the process ends.
 *
 * The allocators below never return NULL.  When memory cannot be had they
 * call the handler that cli/ installed (which removes unfinished output and
 * exits with status 5) or abort.  base/ itself prints nothing.
 *
 * Regions: an arena is freed at once; nobody frees a node.  Allocations are
 * zeroed and aligned to 16 bytes.
 */
#ifndef CP_BASE_MEM_H
#define CP_BASE_MEM_H

#include "base/base.h"

typedef void (*cp_oom_fn)(size_t wanted);

void cp_mem_on_oom(cp_oom_fn handler);
void cp_mem_fail_after(uint64_t allocations); /* tests; 0: never */
/* Before the first allocation: what is to come shall lie in large pages. */
void cp_mem_large_pages(void);

void *cp_xmalloc(size_t n);
void *cp_xcalloc(size_t count, size_t size); /* checks the product */
void *cp_xrealloc(void *p, size_t count, size_t size);

struct cp_arena_block;
struct cp_arena {
	struct cp_arena_block *head;
	uint8_t *at, *end;
	size_t used; /* bytes handed out */
};

void *cp_arena_alloc(struct cp_arena *, size_t n);
char *cp_arena_strndup(struct cp_arena *, const char *, size_t n);
void cp_arena_free(struct cp_arena *);

/* The cleanup attribute's free(). */
void cp_cleanup_free(void *pp);
void cp_cleanup_fd(int *fd);

#endif
