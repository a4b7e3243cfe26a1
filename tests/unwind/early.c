/* SPDX-License-Identifier: MIT */
/*
 * early CAPTURE: every sample has the same stack whether it was unwound when
 * it was read or when its time had come.  Prints how many there are, and how
 * many of them had to be read again.
 */
#include "tests/unwind/replay.h"

struct pass {
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
early(void *ctx, const struct cp_event *ev, struct cp_queued *q)
{
	struct pass *p = ctx;
	bool done = cp_session_unwind_early(&p->r.session, ev, q);

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
end(struct pass *p)
{
	replay_free(&p->r);
	cp_vec_free(&p->seen);
}

static bool
run(struct pass *p, const char *path, bool at_once)
{
	struct replay *r = &p->r;

	if (!replay_open(r, path, NULL, unwind, p))
		return false;
	r->order.sink = sink;
	r->order.ctx = p;
	if (at_once && cp_capture_rereads(&r->capture)) {
		r->order.early = early;
		r->session.again = again;
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
	static struct pass now, later;

	if (argc != 2 || !run(&now, argv[1], true) ||
	    !run(&later, argv[1], false)) {
		fprintf(stderr, "usage: early CAPTURE\n");
		return 2;
	}
	printf("samples %zu early %zu again %zu other %zu\n", now.seen.len,
	    now.early, now.again, differ(&now, &later));
	end(&now);
	end(&later);
	return 0;
}
