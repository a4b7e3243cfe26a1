/* SPDX-License-Identifier: MIT */
/*
 * fp-stacks CAPTURE: the chain that the kernel followed by frame pointers
 * beside ours, made of registers and stack by unwind tables, sample by sample.
 *
 * The program was built with frame pointers, its libraries were not.  So its
 * own frames are the same in both, but for one: while a frame is being set up
 * or taken down, or in a leaf without one, the frame pointer is the caller's
 * and the chain lacks the frame between.  Prints what does not fit, and
 *
 *	samples N outside N equal N lacks_one N other N
 *
 * outside: the sample was taken in a library.
 */
#include "tests/unwind/replay.h"

/* The kernel stops after perf_event_max_stack frames, which are 127. */
enum { DEEP = 120 };

struct account {
	struct replay r;
	size_t samples, outside, equal, lacks_one, other;
};

/* Address number i of the recorded chain; 0: there are no more. */
static uint64_t
recorded(struct account *a, size_t i)
{
	struct cp_chains *all = &a->r.session.chains;
	const struct cp_chain *c = &all->all.data[a->r.at->chain];
	uint32_t n;
	const uint64_t *words = cp_chains_callers(all, c, &n);

	if (i == 0)
		return c->leaf;
	for (uint32_t k = 1; k < n; k++)
		if (words[k] < CP_CONTEXT_MAX && --i == 0)
			return words[k];
	return 0;
}

static bool
in_program(struct cp_unwind *u, struct account *a, uint64_t pc)
{
	const struct cp_map *m = cp_aspace_ask(u->space, pc);
	const struct cp_dso_info *d =
	    m != NULL ? cp_dsos_at(&a->r.session.dsos, m->dso) : NULL;
	const char *name =
	    d != NULL ? cp_strings_get(&a->r.session.strings, d->pub.name) : "";

	return name[0] == '/' && strstr(name, ".so") == NULL;
}

/*
 * Frames from the innermost on agree as long as they are of the program, left
 * out number `without` of ours, and until the kernel has enough.
 */
static bool
agrees(struct account *a, struct cp_unwind *u, size_t n, size_t without)
{
	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t want = u->words[i];

		if (!in_program(u, a, want) ||
		    (k >= DEEP && recorded(a, k) == 0))
			break;
		if (i == without)
			continue;
		if (recorded(a, k++) != (i > 0 ? want + 1 : want))
			return false;
	}
	return true;
}

static size_t
both(void *ctx, struct cp_unwind *u)
{
	struct account *a = ctx;
	size_t words = cp_unwind(replay_unwinder(&a->r), u), n = 0;

	for (size_t i = 0; i < words; i++)
		if (u->words[i] < CP_CONTEXT_MAX)
			u->words[n++] = u->words[i];
	a->samples++;
	if (n == 0 || !in_program(u, a, u->words[0])) {
		a->outside++;
	} else if (agrees(a, u, n, SIZE_MAX)) {
		a->equal++;
	} else if (agrees(a, u, n, 1)) {
		a->lacks_one++;
	} else {
		a->other++;
		printf("other at %" PRIu64 ": ours", a->r.at->time);
		for (size_t i = 0; i < n; i++)
			printf(" %" PRIx64, u->words[i]);
		printf(" | fp");
		for (size_t i = 0; recorded(a, i) != 0; i++)
			printf(" %" PRIx64, recorded(a, i));
		printf("\n");
	}
	return 0;
}

int
main(int argc, char **argv)
{
	static struct account a;

	if (argc != 2 || !replay_run(&a.r, argv[1], NULL, both, &a)) {
		fprintf(stderr, "usage: fp-stacks CAPTURE\n");
		return 2;
	}
	printf("samples %zu outside %zu equal %zu lacks_one %zu other %zu\n",
	    a.samples, a.outside, a.equal, a.lacks_one, a.other);
	replay_free(&a.r);
	return 0;
}
