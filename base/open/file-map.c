/* SPDX-License-Identifier: MIT */
/*
 * Mapped files that may shrink while they are mapped.
 *
 * Reading a page of a mapping that is no longer in the file raises SIGBUS.  The
 * handler maps a page of zeros there, and the read continues: every byte of an
 * object is checked as hostile anyway, so zeros do no harm.  The handler looks
 * the address up in a table of mappings, which it reads without a lock.  For an
 * address outside of these the process ends as without the handler.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/open/file-map.h"

/* A place of the table; begin is 0 while it is free. */
struct place {
	_Atomic uintptr_t begin, end;
	atomic_bool shrunk;
};

#define BLOCK 1024

/* Blocks are never freed, because the handler may read any of them. */
struct block {
	struct block *_Atomic next;
	struct place place[BLOCK];
};

static struct block first;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct sigaction before;
static uintptr_t page;
static atomic_bool some; /* mapping lost a part */

static struct place *
find(uintptr_t at)
{
	for (struct block *b = &first; b != NULL; b = b->next)
		for (size_t i = 0; i < BLOCK; i++) {
			struct place *p = &b->place[i];

			if (p->begin != 0 && p->begin <= at && at < p->end)
				return p;
		}
	return NULL;
}

static bool
fill(uintptr_t at)
{
	struct place *p = find(at);
	union {
		uintptr_t n;
		void *p;
	} where = { .n = at & -page };

	if (p == NULL ||
	    mmap(where.p, page, PROT_READ,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
		return false;
	p->shrunk = true;
	some = true;
	return true;
}

static void
on_bus_error(int sig, siginfo_t *info, void *context)
{
	if (fill((uintptr_t)info->si_addr))
		return;
	if ((before.sa_flags & SA_SIGINFO) != 0)
		before.sa_sigaction(sig, info, context);
	else /* the read is tried again, and ends the process */
		sigaction(sig, &before, NULL);
}

static void
install(void)
{
	struct sigaction mine = { .sa_flags = SA_SIGINFO | SA_NODEFER };

	page = (uintptr_t)sysconf(_SC_PAGESIZE);
	mine.sa_sigaction = on_bus_error;
	sigemptyset(&mine.sa_mask);
	sigaction(SIGBUS, &mine, &before);
}

/* A free place, which begin = 0 marks. */
static struct place *
free_place(void)
{
	struct block *b = &first;

	for (;; b = b->next) {
		for (size_t i = 0; i < BLOCK; i++)
			if (b->place[i].begin == 0)
				return &b->place[i];
		if (b->next == NULL)
			b->next = cp_xcalloc(1, sizeof(*b));
	}
}

const void *
cp_file_map(int fd, uint64_t offset, size_t size)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct place *p;
	void *at;

	pthread_once(&once, install);
	at = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, (off_t)offset);
	if (at == MAP_FAILED)
		return NULL;
	pthread_mutex_lock(&lock);
	p = free_place();
	p->shrunk = false;
	p->end = (uintptr_t)at + size;
	p->begin = (uintptr_t)at;
	pthread_mutex_unlock(&lock);
	return at;
}

void
cp_file_unmap(const void *data, size_t size)
{
	union {
		const void *in;
		void *out;
	} at = { .in = data };
	struct place *p;

	pthread_mutex_lock(&lock);
	p = find((uintptr_t)data);
	if (p != NULL)
		p->begin = 0;
	pthread_mutex_unlock(&lock);
	munmap(at.out, size);
}

bool
cp_file_shrank(const void *data)
{
	const struct place *p = some ? find((uintptr_t)data) : NULL;

	return p != NULL && p->shrunk;
}
