/* SPDX-License-Identifier: MIT */
/*
 * early CAPTURE: every sample has the same stack whether it was unwound when
 * it was read or when its time had come.  Prints how many there are, and how
 * many of them had to be read again.
 */
#include <stdatomic.h>

#include "base/pool.h"
#include "tests/unwind/replay.h"

enum { THREADS = 2 };

struct pass {
	struct cp_pool *pool;
	struct cp_unwinder *unwinder[THREADS]; /* of threads */
	_Atomic size_t beside;                 /* stacks of batches */
	struct replay r;       /* of which only what is opened is used */
	CP_VEC(uint64_t) seen; /* a number for each sample */
	size_t early, again;
	struct cp_event reread;
};

static size_t
unwind(void *ctx, struct cp_unwind *u)
{
	struct pass *p = ctx;

	return cp_unwind(replay_unwinder(&p->r), u);
}

/* By threads, each with an unwinder of its own; or by whoever waits for it. */
static size_t
unwind_by(void *ctx, struct cp_unwind *u, unsigned worker)
{
	struct pass *p = ctx;

	atomic_fetch_add(&p->beside, 1);
	if (worker == 0)
		return cp_unwind(replay_unwinder(&p->r), u);
	if (p->unwinder[worker - 1] == NULL)
		p->unwinder[worker - 1] =
		    cp_unwinder_beside(replay_unwinder(&p->r));
	return cp_unwind(p->unwinder[worker - 1], u);
}

static void
finish(void *ctx)
{
	struct pass *p = ctx;

	cp_session_unwound(&p->r.session);
}

static bool
calm(void *ctx, uint32_t pid, uint32_t tid, const struct cp_early *e)
{
	struct pass *p = ctx;

	return cp_session_calm(&p->r.session, pid, tid, e);
}

static const struct cp_event *
again(void *ctx, const struct cp_queued *q)
{
	struct pass *p = ctx;

	p->again++;
	return cp_capture_again(&p->r.capture, q->offset, &p->reread)
		   ? &p->reread
		   : NULL;
}

static bool
early(void *ctx, const struct cp_event *ev, struct cp_queued *q, bool at_once)
{
	struct pass *p = ctx;
	bool done = cp_session_unwind_early(&p->r.session, ev, q, at_once);

	p->early += done;
	return done;
}

static uint64_t
number_of(const struct cp_session *s, const struct cp_sample *sample)
{
	uint64_t h = cp_mix(sample->time, sample->unwound);

	h = cp_mix(h, sample->unwound_dso);
	for (cp_stack_id id = sample->stack; id != 0;
	     id = s->stacks.nodes.data[id].parent) {
		const struct cp_frame *f =
		    &s->stacks.frames.data[s->stacks.nodes.data[id].frame];

		h = cp_mix(h + f->addr, (uint64_t)f->dso << 16 |
					    (uint64_t)f->level << 8 | f->flags);
	}
	return h;
}

static int
sink(void *ctx, const struct cp_queued *q)
{
	struct pass *p = ctx;
	struct cp_sample s;
	uint32_t cursor = 0;

	while (cp_session_apply(&p->r.session, q, &cursor, &s))
		*cp_vec_push(&p->seen) = number_of(&p->r.session, &s);
	return CP_OK;
}

static void
by_threads(struct pass *p)
{
	struct replay *r = &p->r;

	cp_unwinder_share(replay_unwinder(r));
	r->session.unwind_by = unwind_by;
	r->order.finish = finish;
	r->order.calm = calm;
	p->pool = cp_pool_new(THREADS);
	cp_session_unwind_beside(&r->session, p->pool, THREADS);
}

static void
end(struct pass *p)
{
	cp_pool_free(p->pool);
	cp_batches_free(&p->r.session.batches);
	for (size_t i = 0; i < THREADS; i++)
		cp_unwinder_free(p->unwinder[i]);
	replay_free(&p->r);
	cp_vec_free(&p->seen);
}

static bool
run(struct pass *p, const char *path, bool at_once, bool threads)
{
	struct replay *r = &p->r;

	if (!replay_open(r, path, NULL, unwind, p))
		return false;
	r->order.sink = sink;
	r->order.ctx = p;
	if (at_once && cp_capture_rereads(&r->capture)) {
		r->order.early = early;
		r->session.again = again;
		if (threads)
			by_threads(p);
	}
	return replay_read(r);
}

static size_t
differ(const struct pass *a, const struct pass *b)
{
	size_t n = a->seen.len != b->seen.len;

	for (size_t i = 0; i < CP_MIN(a->seen.len, b->seen.len); i++)
		n += a->seen.data[i] != b->seen.data[i];
	return n;
}

int
main(int argc, char **argv)
{
	static struct pass now, later, beside;

	if (argc != 2 || !run(&now, argv[1], true, false) ||
	    !run(&later, argv[1], false, false) ||
	    !run(&beside, argv[1], true, true)) {
		fprintf(stderr, "usage: early CAPTURE\n");
		return 2;
	}
	printf("samples %zu early %zu again %zu beside %zu other %zu\n",
	    now.seen.len, now.early, now.again, (size_t)beside.beside,
	    differ(&now, &later) + differ(&now, &beside));
	end(&now);
	end(&later);
	end(&beside);
	return 0;
}
