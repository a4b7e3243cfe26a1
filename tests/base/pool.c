/* SPDX-License-Identifier: MIT */
/* Work that is added is done once, by threads or by the owner. */
#include "base/pool.h"

#include <stdatomic.h>

#include "tests/tap.h"

enum { WORKS = 1000, THREADS = 3 };

struct counted {
	struct cp_work work;
	atomic_int *done;
	unsigned by, times;
};

static struct counted works[WORKS];
static atomic_bool go;

static void
count(struct cp_work *w, unsigned worker)
{
	struct counted *c = (struct counted *)w;

	c->by = worker;
	c->times++;
	atomic_fetch_add(c->done, 1);
}

/* Only another thread ends it. */
static void
until_go(struct cp_work *w, unsigned worker)
{
	count(w, worker);
	while (worker != 0 && !atomic_load(&go))
		;
}

static bool
once_each(unsigned threads)
{
	struct cp_pool *p = cp_pool_new(threads);
	atomic_int done = 0;
	bool fine = true;

	for (size_t i = 0; i < WORKS; i++) {
		works[i] =
		    (struct counted){ .work = { .run = count }, .done = &done };
		cp_pool_add(p, &works[i].work);
		if (i % 7 == 6)
			cp_pool_wait(p, &works[i - 3].work);
	}
	for (size_t i = WORKS; i-- > 0;)
		cp_pool_wait(p, &works[i].work);
	for (size_t i = 0; i < WORKS; i++)
		fine &= works[i].times == 1 && works[i].by <= threads;
	cp_pool_free(p);
	return fine && done == WORKS;
}

/* Shared out: the first part is done alone, the others meet for the rest. */
enum { SHARERS = 3 };
struct shared {
	struct cp_sharing sharing;
	atomic_int in;
};

static void *
share(void *ctx)
{
	struct shared *s = ctx;

	if (atomic_fetch_add(&s->in, 1) == 0) {
		ok(s->sharing.started == 0, "the others are not there yet");
		cp_sharing_much(&s->sharing);
	}
	cp_sharing_much(&s->sharing);
	while (atomic_load(&s->in) < SHARERS)
		;
	return NULL;
}

static void *
look_in(void *ctx)
{
	struct shared *s = ctx;

	atomic_fetch_add(&s->in, 1);
	return NULL;
}

static void
sharing(void)
{
	struct shared s = { .sharing = { .n = SHARERS, .run = share } };

	s.sharing.ctx = &s;
	cp_sharing_do(&s.sharing);
	ok(s.in == SHARERS, "those that are called for come, once");
	s.sharing =
	    (struct cp_sharing){ .n = SHARERS, .run = look_in, .ctx = &s };
	cp_sharing_do(&s.sharing);
	cp_sharing_much(&s.sharing);
	ok(s.in == SHARERS + 1, "if nobody calls, or too late, none comes");
}

int
main(void)
{
	struct cp_pool *p = cp_pool_new(1);
	struct counted w[2] = { 0 };
	atomic_int done = 0;

	sharing();
	ok(once_each(0), "without threads the owner does it all");
	ok(once_each(THREADS), "with some, each work is done once");
	for (size_t i = 0; i < 2; i++) {
		w[i].done = &done;
		w[i].work.run = until_go;
		cp_pool_add(p, &w[i].work);
	}
	while (atomic_load(&done) == 0)
		;
	ok(w[0].by == 1, "a thread begins with the first");
	cp_pool_wait(p, &w[1].work);
	ok(w[1].by == 0, "what it has no time for the owner does");
	atomic_store(&go, true);
	cp_pool_wait(p, &w[0].work);
	cp_pool_wait(p, &w[0].work);
	ok(done == 2, "what is done can be waited for");
	cp_pool_free(p);
	cp_pool_free(NULL);
	return done_testing();
}
