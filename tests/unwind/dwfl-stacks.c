/* SPDX-License-Identifier: MIT */
/*
 * dwfl-stacks [-a] CAPTURE [SYMBOLS]: every user stack of a capture, unwound by
 * us and by libdwfl, as `check' does it.
 *
 * Prints a line for each stack that differs, or with -a for each, CPU time (the
 * first look at files included on both sides), and the account at the end:
 *
 *	CLASS at TIME, ENDED: ours ... | libdwfl ...
 *	samples N frames N equal N stopped N wild N skipped N beyond N other N
 *
 * Classes: equal, the rules of symbolize/opinion/stack-rules.c, other.
 */
#include <time.h>

#include "base/limits.h"
#include "symbolize/opinion/stack-rules.h"
#include "symbolize/opinion/stacks.h"
#include "tests/unwind/replay.h"

static const char *const classes[] = { "equal", "stopped", "wild", "skipped",
	"beyond", "other" };
enum { EQUAL, OTHER = CP_ARRAY_LEN(classes) - 1 };

struct account {
	struct replay r;
	struct cp_opinion_stacks *opinion;
	uint64_t ours[CP_MAX_CHAIN], theirs[CP_MAX_CHAIN];
	bool all;                    /* are to be shown */
	double our_time, their_time; /* of CPU, ns */
	size_t samples, frames, count[CP_ARRAY_LEN(classes)];
};

static bool
mapped(void *ctx, const struct cp_unwind *u, uint64_t pc,
    struct cp_opinion_mapped *out)
{
	const struct account *a = ctx;
	const struct cp_map *m = cp_aspace_ask(u->space, pc);

	if (m == NULL)
		return false;
	out->dso = m->dso;
	out->elf = cp_symbols_runtime(
	    a->r.symbols, cp_dsos_at(&a->r.session.dsos, m->dso));
	return out->elf != NULL &&
	       cp_elf_vaddr(out->elf, pc + m->delta, &out->vaddr);
}

/* Of code that no file holds libdwfl has nothing: its stack is the leaf. */
static size_t
unwind_theirs(struct account *a, const struct cp_unwind *u)
{
	size_t m;

	if (a->opinion == NULL)
		a->opinion =
		    cp_opinion_stacks_new(a->r.rec.info.arch, mapped, a);
	if (a->opinion == NULL) {
		fprintf(stderr, "dwfl-stacks: no libdw\n");
		exit(2);
	}
	m = cp_opinion_stack(a->opinion, u, a->theirs, CP_MAX_CHAIN);
	if (m == 0)
		a->theirs[m++] = a->ours[0];
	return m;
}

static void
show(const char *class, const struct account *a, const struct cp_unwind *u,
    size_t n, size_t m)
{
	static const char *const ends[] = { "none", "complete", "cut",
		"no-table", "unreadable", "loop", "unsupported", "limit" };

	printf(
	    "%s at %" PRIu64 ", %s: ours", class, a->r.at->time, ends[u->end]);
	for (size_t i = 0; i < n; i++)
		printf(" %" PRIx64, a->ours[i]);
	printf(" | libdwfl");
	for (size_t i = 0; i < m; i++)
		printf(" %" PRIx64, a->theirs[i]);
	printf("\n");
}

/* An address of libdwfl's in no mapping. */
static bool
leads_out(const struct account *a, const struct cp_unwind *u, size_t m)
{
	for (size_t i = 0; i < m; i++)
		if (cp_aspace_ask(u->space, a->theirs[i]) == NULL)
			return true;
	return false;
}

static void
compare(struct account *a, const struct cp_unwind *u, size_t n, size_t m)
{
	struct cp_two_stacks s = { .ours = a->ours,
		.theirs = a->theirs,
		.n = n,
		.m = m,
		.end = u->end,
		.out = leads_out(a, u, m) };
	struct cp_compared c;
	size_t class = OTHER;

	if (n != 0)
		s.outermost = cp_opinion_stack_name(a->opinion, a->ours[n - 1]);
	c = cp_check_stack(&s);
	if (c.verdict == CP_VERDICT_EQUAL)
		class = EQUAL;
	for (size_t i = 0; i < CP_ARRAY_LEN(classes); i++)
		if (strcmp(c.rule, classes[i]) == 0)
			class = i;
	a->samples++;
	a->frames += n;
	a->count[class]++;
	if (a->all || class != EQUAL)
		show(classes[class], a, u, n, m);
}

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static size_t
both(void *ctx, struct cp_unwind *u)
{
	struct account *a = ctx;
	double start = now();
	size_t n, m, k = 0;

	n = cp_unwind(replay_unwinder(&a->r), u);
	a->our_time += now() - start;
	if (n == 0)
		return 0;
	for (size_t i = 0; i < n; i++)
		if (u->words[i] < CP_CONTEXT_MAX)
			a->ours[k++] = u->words[i];
	start = now();
	m = unwind_theirs(a, u);
	a->their_time += now() - start;
	compare(a, u, k, m);
	return n;
}

int
main(int argc, char **argv)
{
	static struct account a;

	if (argc > 1 && strcmp(argv[1], "-a") == 0) {
		a.all = true;
		argv++;
		argc--;
	}
	if (argc < 2 || argc > 3) {
		fprintf(stderr, "usage: dwfl-stacks [-a] CAPTURE [SYMBOLS]\n");
		return 2;
	}
	if (!replay_run(&a.r, argv[1], argv[2], both, &a)) {
		fprintf(stderr, "dwfl-stacks: cannot read %s\n", argv[1]);
		return 2;
	}
	printf("ns/frame ours %.0f libdwfl %.0f\n",
	    a.our_time / (double)CP_MAX(a.frames, 1),
	    a.their_time / (double)CP_MAX(a.frames, 1));
	printf("samples %zu frames %zu", a.samples, a.frames);
	for (size_t i = 0; i < CP_ARRAY_LEN(classes); i++)
		printf(" %s %zu", classes[i], a.count[i]);
	printf("\n");
	cp_opinion_stacks_free(a.opinion);
	replay_free(&a.r);
	return 0;
}
