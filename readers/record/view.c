/* SPDX-License-Identifier: MIT */
/*
 * view: see view.h.
 *
 * A signal handler knows nothing but globals, so the views are a small table.
 * Who finds it full does without.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "readers/record/view.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

enum { VIEWS = 16 };

static struct cp_view views[VIEWS];
static struct sigaction before;
static size_t page_size;

/* The view that the address is in, or NULL. */
static struct cp_view *
view_of(const uint8_t *at)
{
	for (size_t i = 0; i < VIEWS; i++) {
		uint8_t *from = atomic_load(&views[i].from);

		if (from != NULL && at >= from &&
		    (size_t)(at - from) < atomic_load(&views[i].size))
			return &views[i];
	}
	return NULL;
}

/* Zeros from the page of `at` on; false: it is none of ours. */
static bool
replace(uint8_t *at)
{
	struct cp_view *v = view_of(at);
	uint8_t *page = at - (uintptr_t)at % page_size;
	size_t left;

	if (v == NULL)
		return false;
	left = (size_t)(v->from + v->size - page);
	atomic_store(&v->block.lost, true);
	return mmap(page, left, PROT_READ,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == page;
}

/* Not ours: whoever was there before gets it when the access is repeated. */
static void
on_bus(int sig, siginfo_t *info, void *context)
{
	(void)context;
	if (!replace(info->si_addr))
		sigaction(sig, &before, NULL);
}

static bool
guard(void)
{
	static bool on;
	struct sigaction a = { .sa_sigaction = on_bus,
		.sa_flags = SA_SIGINFO | SA_RESTART };

	page_size = (size_t)sysconf(_SC_PAGESIZE);
	sigemptyset(&a.sa_mask);
	on = on || sigaction(SIGBUS, &a, &before) == 0;
	return on;
}

static void
unmap(struct cp_block *b)
{
	struct cp_view *v =
	    (struct cp_view *)((uint8_t *)b - offsetof(struct cp_view, block));
	uint8_t *from = atomic_load(&v->from);

	atomic_store(&v->from, NULL);
	munmap(from, atomic_load(&v->size));
}

/*
 * Not populated: that goes over pages one by one, where a fault maps all that
 * are next to each other in memory.
 */
struct cp_view *
cp_view_open(int fd, uint64_t offset, size_t n)
{
	struct cp_view *v = views;
	void *at;

	while (v < views + VIEWS && atomic_load(&v->from) != NULL)
		v++;
	if (v == views + VIEWS || n == 0 || !guard())
		return NULL;
	at = mmap(NULL, n, PROT_READ, MAP_PRIVATE, fd, (off_t)offset);
	if (at == MAP_FAILED)
		return NULL;
	atomic_store(&v->block.lost, false);
	v->block.users = 1;
	v->block.release = unmap;
	atomic_store(&v->size, n);
	atomic_store(&v->from, at);
	return v;
}

void
cp_view_close(struct cp_view *v)
{
	cp_block_drop(&v->block);
}
