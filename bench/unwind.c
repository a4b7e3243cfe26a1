/* SPDX-License-Identifier: MIT */
/*
 * unwind CAPTURE [PASSES]: nanoseconds of CPU time per frame for unwinding
 * alone, over all user stacks of a capture: the first pass (cold: files are
 * opened, tables read, rules made), and the mean and the best of the others
 * (warm), which are 5 or as many as make a million frames.
 */
#define _GNU_SOURCE
#include <time.h>

#include "tests/unwind/replay.h"

struct kept {
	struct cp_aspace *space;
	struct cp_event *event;
	bool cut;
};

struct bench {
	struct replay r;
	CP_VEC(struct kept) all;
	uint64_t words[8192];
};

static size_t
keep(void *ctx, struct cp_unwind *u)
{
	struct bench *b = ctx;

	*cp_vec_push(&b->all) = (struct kept){ .space = cp_aspace_ref(u->space),
		.event = cp_event_copy(b->r.at->event),
		.cut = u->cut };
	return 0;
}

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static size_t
pass(struct bench *b)
{
	size_t frames = 0;

	for (size_t i = 0; i < b->all.len; i++) {
		const struct kept *k = &b->all.data[i];
		struct cp_unwind u = { .space = k->space,
			.cut = k->cut,
			.sample = &k->event->u.sample,
			.swap = k->event->swap,
			.words = b->words,
			.max = 8192 };

		frames += cp_unwind(replay_unwinder(&b->r), &u);
	}
	return frames;
}

enum { ENOUGH = 1000000 };

int
main(int argc, char **argv)
{
	static struct bench b;
	long passes = argc > 2 ? strtol(argv[2], NULL, 10) : 0;
	double cold = 0, best = 0, sum = 0;
	size_t frames = 0;

	if (argc < 2 || !replay_run(&b.r, argv[1], NULL, keep, &b)) {
		fprintf(stderr, "usage: unwind CAPTURE [PASSES]\n");
		return 2;
	}
	for (long i = 0; i == 0 || i <= passes; i++) {
		double start = now(), took;

		frames = pass(&b);
		took = (now() - start) / (double)CP_MAX(frames, 1);
		if (i == 0)
			cold = took;
		else
			sum += took;
		if (i == 1 || (i > 1 && took < best))
			best = took;
		if (i == 0 && passes <= 0)
			passes =
			    CP_MAX(5, ENOUGH / (long)CP_MAX(frames, 1) + 1);
	}
	printf("stacks %zu frames %zu cold %.0f ns/frame warm %.0f ns/frame "
	       "mean %.0f ns/frame of %ld passes, %zu frames\n",
	    b.all.len, frames, cold, best, sum / (double)passes, passes,
	    frames * (size_t)passes);
	return 0;
}
