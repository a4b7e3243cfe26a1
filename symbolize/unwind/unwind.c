/* SPDX-License-Identifier: MIT */
/*
 * The walk up one stack.
 *
 * Packed rules track three registers (stack pointer, frame pointer, pc).  A
 * full rule needs all registers, which are known in the innermost frame and
 * after a signal frame.  If a needed register is unknown, the walk starts again
 * and tracks all registers from the first frame on.
 */
#include "symbolize/unwind/unwind.h"

#include "base/limits.h"
#include "symbolize/unwind/frames.h"
#include "symbolize/unwind/walk.h"
#include "symbolize/unwind/jit.h"
#include "symbolize/unwind/objects.h"
#include "symbolize/unwind/rule-lookup.h"

struct cp_unwinder *
cp_unwinder_new(
    struct cp_symbols *symbols, const struct cp_dsos *dsos, const char *uname)
{
	struct cp_unwinder *u = cp_xcalloc(1, sizeof(*u));

	u->symbols = symbols;
	u->dsos = dsos;
	u->arch[0] = cp_arch_find(uname, 1);
	u->arch[1] = cp_arch_find(uname, 2);
	return u;
}

void
cp_unwinder_free(struct cp_unwinder *u)
{
	if (u == NULL)
		return;
	cp_unwind_jit_free(u);
	for (size_t i = 0; i < u->objects.len; i++)
		if (u->objects.data[i] != NULL) {
			cp_cfi_free(&u->objects.data[i]->cfi);
			cp_function_rules_free(&u->objects.data[i]->rules);
			free(u->objects.data[i]);
		}
	cp_vec_free(&u->objects);
	cp_full_free(&u->full);
	free(u->near.slots);
	free(u->far.slots);
	free(u);
}

bool
cp_unwinder_knows(const struct cp_unwinder *u, uint64_t abi)
{
	return (abi == 1 || abi == 2) && u->arch[abi - 1] != NULL;
}

void
cp_unwinder_scan(struct cp_unwinder *u, bool scan)
{
	u->scan = scan;
}

/* ----------------------------------------------------------- packed rules */

/*
 * The CFA by a rule relative to the stack pointer.  If only the frame pointer
 * is known, the CFA is computed from it: it points to its saved value, whose
 * place the rule tells.
 */
static inline uint64_t
by_stack(const struct cp_unwind_walk *w, uint32_t r)
{
	if (CP_UNLIKELY(w->loose) && cp_rule_saves_fp(r))
		return w->fp - (uint64_t)cp_rule_fp(r) * w->arch->word;
	return w->sp + (uint64_t)cp_rule_cfa(r) * w->arch->word;
}

/*
 * Follows packed rules.  Returns why the walk ended, or NONE with the first
 * rule of another kind in *rule.
 */
static enum cp_unwind_end
follow_packed(struct cp_unwind_walk *w, uint32_t *rule)
{
	const struct cp_unwinder *u = w->u;
	const bool link = w->arch->lr != CP_NO_REG;
	const unsigned word = w->arch->word;
	const uint32_t space = w->in->space->generation;
	enum cp_unwind_end end = CP_UNWIND_NONE;

	while (end == CP_UNWIND_NONE) {
		uint32_t r = cp_near_get(&u->near, space, w->pc);
		uint64_t cfa, ra, fp;

		if (CP_UNLIKELY(r == 0))
			r = cp_walk_rule(w, w->pc);
		*rule = r;
		if (CP_LIKELY(cp_rule_kind(r) == CP_RULE_SP))
			cfa = by_stack(w, r);
		else if (cp_rule_kind(r) == CP_RULE_FP)
			cfa = w->fp + (uint64_t)cp_rule_cfa(r) * word;
		else
			return CP_UNWIND_NONE;
		if (w->steps-- == 0)
			return CP_UNWIND_LIMIT;
		fp = cfa + (uint64_t)cp_rule_fp(r) * word;
		ra = w->lr;
		if (!link && !cp_walk_word(w, cfa - word, &ra))
			return cp_walk_unreadable(w, cfa - word);
		if (link && (r & CP_RULE_LR) &&
		    !cp_walk_word(w, fp + word, &ra))
			return cp_walk_unreadable(w, fp + word);
		if (CP_UNLIKELY(cfa <= w->sp) && (!w->exact || cfa < w->sp))
			return CP_UNWIND_LOOP;
		if (cp_rule_saves_fp(r))
			(void)cp_walk_word(w, fp, &w->fp);
		w->sp = cfa;
		w->lr = ra;
		w->knows = CP_KNOWS_FEW;
		w->loose = false;
		w->guessed = CP_BY_RULE;
		end = cp_walk_caller(w, ra & w->pac);
	}
	return end;
}

/* --------------------------------------------------------------- registers */

/*
 * Finds the word of each register.  The mask is nearly always the same, so the
 * result is kept.
 */
static void
find_places(struct cp_unwinder *u, const struct cp_arch *a, uint64_t mask)
{
	struct cp_regs r = { 0 };

	cp_arch_places(a, mask, u->place);
	for (unsigned i = 0; i < a->regs; i++)
		if (u->place[i] != CP_NO_REG)
			cp_reg_set(&r, i, 0);
	memcpy(u->place_known, r.known, sizeof(r.known));
	u->place_arch = a;
	u->place_mask = mask;
}

/* ------------------------------------------------------------------ a walk */

/* Address bits: a signed return address has more above them. */
static uint64_t
address_bits(const struct cp_unwind_walk *w)
{
	const struct cp_aspace *a = w->in->space;
	uint64_t top;

	if (w->arch->machine == EM_ARM)
		return UINT32_MAX - 1; /* bit 0 means Thumb */
	if (w->arch->machine != EM_AARCH64 || a->maps.len == 0)
		return w->arch->word == 4 ? UINT32_MAX : UINT64_MAX;
	top = a->maps.data[a->maps.len - 1].end - 1;
	return top == 0 ? UINT64_MAX : UINT64_MAX >> __builtin_clzll(top);
}

static bool
begin(struct cp_unwind_walk *w, struct cp_unwinder *u, struct cp_unwind *in)
{
	const struct cp_ev_sample *s = in->sample;
	const struct cp_arch *a = s->user_abi == 1 || s->user_abi == 2
				      ? u->arch[s->user_abi - 1]
				      : NULL;

	w->u = u;
	w->in = in;
	w->arch = a;
	w->steps = CP_MAX_UNWIND_STEPS;
	memset(w->no_way, 0, sizeof(w->no_way));
	w->swap = in->swap;
	if (a == NULL || s->user_regs == NULL)
		return false;
	if (u->place_arch != a || u->place_mask != s->user_mask)
		find_places(u, a, s->user_mask);
	if (u->place[a->sp] == CP_NO_REG || u->place[a->pc] == CP_NO_REG)
		return false;
	w->plain = a->word == 8 && !in->swap;
	w->stack = s->user_stack;
	w->base = cp_walk_recorded(w, a->sp);
	w->last = s->user_stack_size - a->word;
	w->pac = address_bits(w);
	w->words = in->words;
	w->max = in->max;
	return true;
}

/* Starts, or starts again, at the innermost frame. */
static void
first_frame(struct cp_unwind_walk *w)
{
	const struct cp_arch *a = w->arch;

	w->n = 0;
	w->marked = w->guessed = CP_BY_RULE;
	w->exact = true;
	w->knows = CP_KNOWS_SAMPLE;
	w->loose = false;
	w->pc = cp_walk_recorded(w, a->pc);
	w->sp = cp_walk_recorded(w, a->sp);
	w->fp = cp_walk_recorded(w, a->fp);
	w->lr = cp_walk_recorded(w, a->lr);
	w->r7 = cp_walk_recorded(w, 7);
	(void)cp_walk_emit(w, w->pc);
}

/* Walks with all registers tracked. */
static enum cp_unwind_end
walk_full(struct cp_unwind_walk *w)
{
	enum cp_unwind_end end = CP_UNWIND_NONE;
	bool again = false;

	first_frame(w);
	while (end == CP_UNWIND_NONE) {
		uint32_t rule = cp_walk_full_rule(w, w->pc);

		if (cp_rule_kind(rule) == CP_RULE_END)
			end = CP_UNWIND_COMPLETE;
		else if (cp_rule_kind(rule) == CP_RULE_FULL)
			end = cp_walk_full_step(w, rule >> 4, w->pc, &again);
		else if (w->steps == 0)
			end = CP_UNWIND_LIMIT;
		else
			end = cp_walk_no_table(w, &again);
		if (again)
			end = CP_UNWIND_UNSUPPORTED;
	}
	return end;
}

static enum cp_unwind_end
walk(struct cp_unwind_walk *w)
{
	enum cp_unwind_end end;
	bool again = false;
	uint32_t rule;

	first_frame(w);
	do {
		end = follow_packed(w, &rule);
		if (end != CP_UNWIND_NONE)
			return end;
		if (cp_rule_kind(rule) == CP_RULE_END)
			return CP_UNWIND_COMPLETE;
		if (cp_rule_kind(rule) == CP_RULE_FULL)
			end = cp_walk_full_step(w, rule >> 4, w->pc, &again);
		else if (w->steps == 0)
			end = CP_UNWIND_LIMIT;
		else
			end = cp_walk_no_table(w, &again);
		if (again)
			return walk_full(w);
	} while (end == CP_UNWIND_NONE);
	return end;
}

size_t
cp_unwind(void *ctx, struct cp_unwind *in)
{
	struct cp_unwinder *u = ctx;
	struct cp_unwind_walk w;

	/* Rows are asked of many captures that have no stack to walk. */
	if (CP_UNLIKELY(u->far.slots == NULL)) {
		cp_rule_near_init(&u->near);
		cp_rule_cache_init(&u->far);
	}
	in->dso = 0;
	in->end = CP_UNWIND_UNSUPPORTED;
	if (in->max < 4 || !begin(&w, u, in))
		return 0;
	if (in->sample->user_stack == NULL ||
	    in->sample->user_stack_size < w.arch->word) {
		first_frame(&w);
		in->end = CP_UNWIND_UNREADABLE;
		return w.n;
	}
	in->end = walk(&w);
	return w.n;
}
