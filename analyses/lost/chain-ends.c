/* SPDX-License-Identifier: MIT */
#include "analyses/lost/chain-ends.h"

#include <stdlib.h>
#include <string.h>

#include "analyses/common/label.h"

#define OBJECTS 20            /* rows shown */
#define CALLCHAIN (1u << 5)   /* of cp_evsel.sample_type */
#define CALL_STACK (1u << 11) /* of cp_evsel.branch_type */
/*
 * The recorder stops at 127 words, which include a few markers.  A chain of
 * that length was cut, so its end is not judged.
 */
#define LONGEST 124u
/*
 * Nothing is mapped below: pointers to there are 0 and a small offset.  1 is
 * the address of all callers elsewhere in no code.
 */
#define FIRST_PAGE 4096u
#define ELSEWHERE 1u
/* Stacks between the load of a parent's sum and its use. */
#define SOON 16u

enum end {
	END_GOOD, /* at the begin of a thread, or not known */
	END_ZERO,
	END_UNMAPPED,
	END_SHORT,
	ENDS
};

struct cp_chain_object {
	const struct cp_run *run;
	uint64_t n;
	const char *last; /* name of a function that such chains end with */
	uint32_t dso;     /* whose frame pointer led nowhere */
	uint8_t why;      /* enum end */
};

/* Of a stack and all its callers: enough to tell good chains from others. */
enum { MOST = (1 << 13) - 1 }; /* frames that fit into a record */
struct cp_chain_sum {
	uint32_t frames : 13, unnamed : 13;
	uint32_t user : 1;               /* has a frame of user code */
	uint32_t good_end : 1;           /* a thread begins there, or may */
	uint32_t innermost_unmapped : 1; /* of the frames of user code */
	uint32_t lost : 1;               /* a caller is in no mapping */
	/* Its outer part up to the second frame of user code; 0: not so many */
	cp_stack_id end;
};

/* The user part of a stack. */
struct chain {
	cp_frame_id last, inner; /* the outermost frame and its callee; 0 */
	uint32_t frames, user;
	cp_frame_id lost; /* callee of the first caller in no mapping; 0 */
	uint64_t at;      /* address of that caller */
};

bool
cp_chain_ends_of(const struct cp_run *run, uint32_t evsel)
{
	const struct cp_evsel *e = cp_run_evsel(run, evsel);

	return (e->sample_type & CALLCHAIN) != 0 && e->stack_user == 0 &&
	       (e->branch_type & CALL_STACK) == 0;
}

void
cp_chain_ends_init(struct cp_chain_ends *c, struct cp_run *run)
{
	size_t dsos = (size_t)cp_run_dso_count(run) + 1;

	*c = (struct cp_chain_ends){ .run = run, .n_objects = dsos * ENDS };
	c->objects = cp_run_alloc(run, c->n_objects * sizeof(*c->objects));
	for (size_t i = 0; i < c->n_objects; i++)
		c->objects[i] = (struct cp_chain_object){ .run = run,
			.dso = (uint32_t)(i / ENDS),
			.why = (uint8_t)(i % ENDS) };
}

/* ------------------------------------------------------------------ judging */

/*
 * Nearly all names differ from all words in the first characters, and many
 * names are compared.
 */
static bool
begins_with(const char *name, const char *word)
{
	return name[0] == word[0] && strncmp(name, word, strlen(word)) == 0;
}

/* True if a thread begins in the function: of C, of Android, of Go. */
static bool
begins_thread(const char *name)
{
	static const char *const whole[] = { "_start", "main", "clone",
		"clone3", "__clone", "__clone3", "start_thread", "thread_start",
		"_start_c", "_dl_start", "_dl_start_user", "__libc_init",
		"__start_thread", "__pthread_start", "runtime.mcall",
		"runtime.asmcgocall" };
	static const char *const start[] = { "__libc_start_", "__pthread_start",
		"_rt0_", "runtime.goexit", "runtime.mstart", "runtime.rt0_go",
		"runtime.systemstack" };

	for (size_t i = 0; i < sizeof(whole) / sizeof(whole[0]); i++) {
		size_t n;

		if (!begins_with(name, whole[i]))
			continue;
		/* Versions and copies: clone@@GLIBC_2.2.5, main.cold. */
		n = strlen(whole[i]);
		if (name[n] == '\0' || name[n] == '@' || name[n] == '.')
			return true;
	}
	for (size_t i = 0; i < sizeof(start) / sizeof(start[0]); i++)
		if (begins_with(name, start[i]))
			return true;
	return false;
}

/* Facts of a frame; 0: not looked up yet. */
enum { SEEN = 1, USER = 2, UNMAPPED = 4, UNNAMED = 8, START = 16, LOST = 32 };

static uint8_t
look_at(const struct cp_run *run, cp_frame_id id)
{
	const struct cp_frame *f = cp_frame_get(run, id);
	const struct cp_symbol *s = cp_frame_symbol(run, id);
	unsigned facts = SEEN;

	if ((f->flags & CP_FRAME_LOST) != 0)
		return SEEN | LOST;
	if (f->level == CP_LEVEL_USER)
		facts |= USER;
	if (f->dso == 0)
		facts |= UNMAPPED;
	if (s == NULL || f->dso == 0)
		facts |= UNNAMED;
	else if (begins_thread(s->raw))
		facts |= START;
	return (uint8_t)facts;
}

static uint8_t
facts_new(struct cp_chain_ends *c, cp_frame_id id)
{
	cp_grow_to(c->run, c->facts, &c->n_facts, id);
	return c->facts[id] = look_at(c->run, id);
}

/* Chains share frames, so each frame is examined once. */
static inline uint8_t
facts_of(struct cp_chain_ends *c, cp_frame_id id)
{
	uint8_t facts = id < c->n_facts ? c->facts[id] : 0;

	return facts != 0 ? facts : facts_new(c, id);
}

static bool
is_start(struct cp_chain_ends *c, cp_frame_id id)
{
	return id != 0 && (facts_of(c, id) & START) != 0;
}

/* True if code without a name may be where threads begin. */
static bool
may_begin(const struct cp_run *run, uint32_t dso)
{
	static const char *const libraries[] = { "libc.", "libc-", "libpthread",
		"ld-", "ld.", "ld64." };
	const char *name = cp_word_object(run, dso);

	for (size_t i = 0; i < sizeof(libraries) / sizeof(libraries[0]); i++)
		if (strncmp(name, libraries[i], strlen(libraries[i])) == 0)
			return true;
	return strstr(name, ".so") == NULL;
}

static struct cp_chain_sum
extend(struct cp_chain_ends *c, struct cp_chain_sum s, cp_stack_id stack)
{
	uint8_t facts = facts_of(c, cp_stack_frame(c->run, stack));

	if ((facts & LOST) != 0)
		return s;
	if (s.frames < MOST)
		s.frames++;
	if ((facts & UNNAMED) != 0 && s.unnamed < MOST)
		s.unnamed++;
	if ((facts & USER) == 0)
		return s;
	if (s.end == 0 && (facts & START) != 0)
		s.good_end = true;
	if (!s.user && (facts & UNMAPPED) != 0)
		s.good_end = true;
	if (s.user && s.end == 0)
		s.end = stack;
	s.user = true;
	s.lost |= s.innermost_unmapped;
	s.innermost_unmapped = (facts & UNMAPPED) != 0;
	return s;
}

/* Loads the sum of the parent of a stack that is looked at soon. */
static inline void
fetch_parent(const struct cp_chain_ends *c, cp_stack_id stack)
{
	if (stack < c->n_stacks)
		__builtin_prefetch(&c->sums[cp_stack_parent(c->run, stack)]);
}

/* Chains share their outer parts: each node of the trie is looked at once. */
static struct cp_chain_sum
sum_of(struct cp_chain_ends *c, cp_stack_id stack)
{
	if (c->sums == NULL) {
		c->n_stacks = cp_stack_count(c->run);
		c->sums = cp_run_alloc(c->run, c->n_stacks * sizeof(*c->sums));
	}
	for (; c->n_sums < stack; c->n_sums++) {
		cp_stack_id id = c->n_sums + 1;

		fetch_parent(c, id + SOON);
		c->sums[id] =
		    extend(c, c->sums[cp_stack_parent(c->run, id)], id);
	}
	return c->sums[stack];
}

/*
 * Returns the part of a stack that tells where it ends.  Only a chain that lost
 * its way is followed from the innermost frame.
 */
static cp_stack_id
end_of(struct cp_chain_ends *c, cp_stack_id stack)
{
	struct cp_chain_sum s = sum_of(c, stack);

	return s.lost || s.end == 0 ? stack : s.end;
}

static struct chain
walk(struct cp_chain_ends *c, cp_stack_id stack)
{
	struct chain w = { 0 };

	for (; stack != 0; stack = cp_stack_parent(c->run, stack)) {
		cp_frame_id id = cp_stack_frame(c->run, stack);
		uint8_t facts = facts_of(c, id);

		w.frames += (facts & LOST) == 0;
		if ((facts & USER) == 0)
			continue;
		if ((facts & UNMAPPED) != 0 && w.user != 0 && w.lost == 0) {
			w.lost = w.last;
			w.at = cp_frame_get(c->run, id)->addr;
		}
		w.user++;
		w.inner = w.last;
		w.last = id;
	}
	return w;
}

static enum end
judge(struct cp_chain_ends *c, const struct chain *w)
{
	const struct cp_frame *last = cp_frame_get(c->run, w->last);

	if (w->lost != 0)
		return w->at < FIRST_PAGE && w->at != ELSEWHERE ? END_ZERO
								: END_UNMAPPED;
	if (w->frames >= LONGEST || last->dso == 0 || is_start(c, w->last) ||
	    is_start(c, w->inner))
		return END_GOOD;
	/* The sampled address itself is nowhere near a thread's beginning. */
	if ((facts_of(c, w->last) & UNNAMED) != 0 && w->user > 1 &&
	    may_begin(c->run, last->dso))
		return END_GOOD;
	return END_SHORT;
}

/* Counts the frames; true if the chain may be broken. */
static bool
is_suspect(struct cp_chain_ends *c, const struct cp_tally_row *row)
{
	cp_stack_id stack = (cp_stack_id)row->b;
	uint64_t n = row->count;
	struct cp_chain_sum s = sum_of(c, stack);

	if (s.frames > 1) {
		c->callers += n * (s.frames - 1);
		c->unnamed +=
		    n * sum_of(c, cp_stack_parent(c->run, stack)).unnamed;
	}
	if (!s.user)
		return false;
	c->all += n;
	c->weight += row->weight;
	return s.lost || (!s.good_end && s.frames < LONGEST);
}

void
cp_chain_ends_add(
    struct cp_chain_ends *c, uint32_t evsel, const struct cp_tally_row *row)
{
	cp_stack_id stack = (cp_stack_id)row->b;
	struct chain w;
	enum end why;
	const struct cp_symbol *s;
	cp_frame_id id;
	struct cp_chain_object *o;

	if (!cp_chain_ends_of(c->run, evsel) || !is_suspect(c, row))
		return;
	w = walk(c, end_of(c, stack));
	why = judge(c, &w);
	if (why == END_GOOD)
		return;
	c->broken += row->count;
	c->broken_weight += row->weight;
	id = why == END_SHORT ? w.last : w.lost;
	o = &c->objects[cp_frame_get(c->run, id)->dso * (size_t)ENDS + why];
	o->n += row->count;
	s = cp_frame_symbol(c->run, id);
	if (o->last == NULL && s != NULL)
		o->last = s->name;
}

/* ------------------------------------------------------------------ showing */

static const char *
reason(uint8_t why)
{
	switch (why) {
	case END_ZERO: return "the caller is at 0";
	case END_UNMAPPED: return "the caller is in no mapping";
	default: return "ends where no thread begins";
	}
}

static const char *
help(const struct cp_run *run, uint32_t dso)
{
	const struct cp_dso *d = cp_run_dso(run, dso);

	if (d != NULL && (d->kind == CP_DSO_ANON || d->kind == CP_DSO_JIT))
		return "code made at run time: have it keep frame pointers "
		       "(Java: -XX:+PreserveFramePointer)";
	return "record --call-graph dwarf, or build it with "
	       "-fno-omit-frame-pointer";
}

static int
compare_objects(const void *va, const void *vb)
{
	const struct cp_chain_object *a = va, *b = vb;
	int c = cp_word_compare(a->run, a->n, a->dso, b->n, b->dso);

	return c != 0 ? c : (a->why > b->why) - (a->why < b->why);
}

/* The object that broke the most chains; 0: none, or in no object. */
static uint32_t
worst_object(const struct cp_chain_ends *c, uint64_t *broken)
{
	uint32_t worst = 0;

	*broken = 0;
	for (size_t i = 0; i + ENDS <= c->n_objects; i += ENDS) {
		uint64_t n = 0;

		for (size_t k = i; k < i + ENDS; k++)
			n += c->objects[k].n;
		if (n > *broken) {
			*broken = n;
			worst = c->objects[i].dso;
		}
	}
	return worst;
}

void
cp_chain_ends_note(const struct cp_chain_ends *c, struct cp_report *rep)
{
	struct cp_word a, b, n;
	uint64_t broken;
	uint32_t worst = worst_object(c, &broken);

	if (c->broken == 0)
		return;
	cp_report_note(rep,
	    "%s of the call chains of user code are broken (%s): they end "
	    "where no thread begins, or lead to no code; most of them, %s of "
	    "all, in %.300s: %s",
	    cp_word_percent(&a, (double)c->broken, (double)c->all),
	    cp_word_count(&n, c->broken),
	    cp_word_percent(&b, (double)broken, (double)c->all),
	    cp_word_path(c->run, worst), help(c->run, worst));
}

void
cp_chain_ends_show(struct cp_chain_ends *c, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_SHARE("Share"),
		CP_COUNT("Chains"), CP_TEXT("Reason"), CP_TEXT("Object"),
		CP_TEXT("A last function"), CP_PROSE("What helps"),
		CP_TEXT("Build ID") };
	struct cp_table *t;
	uint64_t rest = 0;
	size_t n;

	if (c->broken == 0)
		return;
	t = cp_report_table(
	    rep, "broken", "What broke call chains", CP_COLUMNS(columns));
	qsort(c->objects, c->n_objects, sizeof(*c->objects), compare_objects);
	for (n = 0; n < c->n_objects && c->objects[n].n != 0; n++) {
		const struct cp_chain_object *o = &c->objects[n];

		if (n >= OBJECTS) {
			rest += o->n;
			continue;
		}
		cp_table_add(t, cp_count_cell(o->n, cp_counted(c->all, 1)),
		    o->n, reason(o->why), cp_word_object(c->run, o->dso),
		    o->last != NULL ? o->last : "", help(c->run, o->dso),
		    cp_word_build_id(c->run, o->dso));
	}
	if (n > OBJECTS)
		cp_table_rest(t, n - OBJECTS, rest);
}
