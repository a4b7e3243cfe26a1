/* SPDX-License-Identifier: MIT */
/* Threads that are called for start once, and end before the work does. */
#include "base/pool.h"

#include <stdatomic.h>

#include "tests/tap.h"

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
	sharing();
	return done_testing();
}
