/* SPDX-License-Identifier: MIT */
/*
 * stacks: each stack is compared right after our unwinder has walked it,
 * because its bytes are in memory then.
 *
 * The number of stacks is not known in advance: when there are too many
 * answers, every second one is dropped, and only half of the further stacks are
 * compared.
 */
#include "cli/command/check/stacks.h"

#include <sys/utsname.h>

#include "base/limits.h"
#include "symbolize/object/files.h"
#include "symbolize/opinion/stacks.h"

struct answer {
	uint64_t at; /* number of the stack */
	enum cp_verdict verdict;
	const char *rule;
	enum cp_unwind_end end;
	uint32_t ours, theirs;     /* frames */
	uint64_t next, their_next; /* after the equal ones; 0: none */
	uint32_t dso;              /* 0: not known */
	uint64_t addr;
};

struct cp_check_stacks {
	struct cp_run *run;
	struct cp_opinion_stacks *opinion; /* NULL: not to be had */
	bool tried;
	uint64_t max, seen, step;
	CP_VEC(struct answer) answers;
	/* The current stack; the filters may still drop its sample. */
	struct answer now;
	uint64_t offset; /* of its record */
	bool unwound, asked;
	char ours[80], theirs[80];
	uint64_t words[CP_MAX_CHAIN], their_words[CP_MAX_CHAIN];
};

/* -------------------------------------------------------------- the walks */

/* Finds the file that our unwinder uses for the address. */
static bool
mapped(void *ctx, const struct cp_unwind *u, uint64_t pc,
    struct cp_opinion_mapped *out)
{
	struct cp_check_stacks *c = ctx;
	const struct cp_map *m = cp_aspace_ask(u->space, pc);
	const struct cp_dso_info *dso =
	    m != NULL ? cp_dsos_at(&c->run->session.dsos, m->dso) : NULL;

	if (dso == NULL ||
	    (dso->pub.kind != CP_DSO_FILE && dso->pub.kind != CP_DSO_VDSO))
		return false;
	out->dso = m->dso;
	out->elf = cp_symbols_runtime(cp_run_symbols(c->run), dso);
	return out->elf != NULL &&
	       cp_elf_vaddr(out->elf, pc + m->delta, &out->vaddr);
}

static struct cp_opinion_stacks *
opinion_of(struct cp_check_stacks *c)
{
	static struct utsname here;
	const char *machine = c->run->rec.info.arch;

	if (!c->tried) {
		c->tried = true;
		if (machine == NULL && uname(&here) == 0)
			machine = here.machine;
		c->opinion = cp_opinion_stacks_new(
		    machine != NULL ? machine : "", mapped, c);
	}
	return c->opinion;
}

static bool
leads_out(const struct cp_unwind *u, const uint64_t *pc, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (cp_aspace_ask(u->space, pc[i]) == NULL)
			return true;
	return false;
}

/* Finds the last frame that is equal in both walks. */
static void
place(struct cp_check_stacks *c, const struct cp_unwind *u, uint64_t pc)
{
	const struct cp_map *m = cp_aspace_ask(u->space, pc);

	if (m == NULL)
		return;
	c->now.dso = m->dso;
	c->now.addr = pc + m->delta;
}

static void
compare(struct cp_check_stacks *c, const struct cp_unwind *u, size_t n)
{
	struct cp_two_stacks s = { .ours = c->words,
		.theirs = c->their_words,
		.n = n,
		.end = u->end };
	struct cp_compared r;

	s.m = cp_opinion_stack(
	    c->opinion, u, c->their_words, CP_ARRAY_LEN(c->their_words));
	s.out = leads_out(u, s.theirs, s.m);
	if (s.m != 0 && n != 0)
		s.outermost =
		    cp_opinion_stack_name(c->opinion, c->words[n - 1]);
	r = cp_check_stack(&s);
	c->now = (struct answer){ .at = c->seen,
		.verdict = r.verdict,
		.rule = r.rule,
		.end = u->end,
		.ours = (uint32_t)n,
		.theirs = (uint32_t)s.m,
		.next = s.same < n ? s.ours[s.same] : 0,
		.their_next = s.same < s.m ? s.theirs[s.same] : 0 };
	if (n != 0)
		place(c, u, s.ours[s.same != 0 ? s.same - 1 : 0]);
}

/*
 * True if the stack can be compared.  A stack of one word is a request for the
 * caller of a leaf.  Code of a jitdump is in no file that elfutils reads.
 */
static bool
is_stack(const struct cp_unwind *u)
{
	return u->jit == NULL && u->sample->user_stack != NULL &&
	       u->sample->user_stack_size > sizeof(uint64_t);
}

static void
unwound(void *ctx, const struct cp_unwind *u, size_t n)
{
	struct cp_check_stacks *c = ctx;
	size_t k = 0;

	if (!is_stack(u))
		return;
	c->unwound = true;
	c->asked = false;
	c->offset = c->run->at->offset;
	if (c->seen % c->step != 0 || opinion_of(c) == NULL)
		return;
	for (size_t i = 0; i < n; i++)
		if (u->words[i] < CP_CONTEXT_MAX)
			c->words[k++] = u->words[i];
	compare(c, u, k);
	c->asked = true;
}

/* ------------------------------------------------------------ the answers */

/* The sample is kept. */
static int
keep(void *ctx, struct cp_run *run, const struct cp_queued *q,
    const struct cp_sample *s)
{
	struct cp_check_stacks *c = ctx;

	if (q == NULL || !c->unwound || q->offset != c->offset)
		return CP_OK;
	c->unwound = false;
	c->seen++;
	if (!c->asked)
		return CP_OK;
	*cp_vec_push(&c->answers) = c->now;
	if (c->max != 0 && c->answers.len > c->max) {
		size_t n = 0;

		c->step *= 2;
		for (size_t i = 0; i < c->answers.len; i++)
			if (c->answers.data[i].at % c->step == 0)
				c->answers.data[n++] = c->answers.data[i];
		c->answers.len = n;
	}
	return CP_OK;
}

struct cp_check_stacks *
cp_check_stacks_new(struct cp_run *run, uint64_t max)
{
	struct cp_check_stacks *c = cp_xcalloc(1, sizeof(*c));

	c->run = run;
	c->max = max;
	c->step = 1;
	run->unwound = unwound;
	run->unwound_ctx = c;
	run->tap = keep;
	run->tap_ctx = c;
	return c;
}

void
cp_check_stacks_free(struct cp_check_stacks *c)
{
	if (c == NULL)
		return;
	cp_opinion_stacks_free(c->opinion);
	cp_vec_free(&c->answers);
	free(c);
}

uint64_t
cp_check_stacks_seen(const struct cp_check_stacks *c)
{
	return c->seen;
}

static const char *
describe(char *out, size_t size, uint32_t frames, uint64_t next)
{
	if (next != 0)
		snprintf(out, size, "%" PRIu32 " frames, next 0x%" PRIx64,
		    frames, next);
	else
		snprintf(out, size, "%" PRIu32 " frames", frames);
	return out;
}

bool
cp_check_stacks_get(
    struct cp_check_stacks *c, size_t at, struct cp_check_stack *out)
{
	const struct answer *a;

	if (at >= c->answers.len)
		return false;
	a = &c->answers.data[at];
	*out = (struct cp_check_stack){
		.compared = { .verdict = a->verdict,
		    .rule = a->rule,
		    .ours =
			describe(c->ours, sizeof(c->ours), a->ours, a->next),
		    .theirs = describe(c->theirs, sizeof(c->theirs), a->theirs,
			a->their_next) },
		.addr = a->addr,
	};
	if (a->dso != 0)
		out->dso = cp_dsos_at(&c->run->session.dsos, a->dso);
	if (out->dso != NULL)
		(void)cp_symbols_vaddr(
		    cp_run_symbols(c->run), out->dso, a->addr, &out->addr);
	return true;
}
