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
#include "symbolize/unwind/arm-link.h"
#include "symbolize/unwind/guess.h"
#include "symbolize/unwind/jit.h"
#include "symbolize/unwind/objects.h"
#include "symbolize/unwind/rule-lookup.h"
#include "symbolize/unwind/run-arm.h"
#include "symbolize/unwind/sigreturn.h"
#include "symbolize/unwind/stack-scan.h"
#include "symbolize/unwind/step.h"

struct cp_unwinder *
cp_unwinder_new(
    struct cp_symbols *symbols, const struct cp_dsos *dsos, const char *uname)
{
	struct cp_unwinder *u = cp_xcalloc(1, sizeof(*u));

	u->symbols = symbols;
	u->dsos = dsos;
	u->arch[0] = cp_arch_find(uname, 1);
	u->arch[1] = cp_arch_find(uname, 2);
	cp_rule_near_init(&u->near);
	cp_rule_cache_init(&u->far);
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

void
cp_unwinder_scan(struct cp_unwinder *u, bool scan)
{
	u->scan = scan;
}

/* ------------------------------------------------------------------ frames */

static bool
emit(struct cp_unwind_walk *w, uint64_t pc)
{
	if (CP_UNLIKELY(w->guessed != w->marked || w->n == 0)) {
		w->marked = w->guessed;
		w->words[w->n++] = CP_CONTEXT_USER_UNWOUND - w->guessed;
	}
	if (CP_UNLIKELY(w->n + 2 >= w->max))
		return false;
	w->words[w->n++] = pc;
	return true;
}

/* CUT if the address is just above the dump, and the dump may be incomplete. */
static enum cp_unwind_end
unreadable(const struct cp_unwind_walk *w, uint64_t at)
{
	uint64_t end = w->base + w->last + w->arch->word;

	if (at + w->arch->word > end && at - end < CP_MAX_STACK_GAP &&
	    w->in->cut)
		return CP_UNWIND_CUT;
	return CP_UNWIND_UNREADABLE;
}

/*
 * Goes to the caller at ra.  Looks up ra - 1, and shows that: a call may be the
 * last instruction of its function.
 */
static enum cp_unwind_end
caller(struct cp_unwind_walk *w, uint64_t ra)
{
	if (ra == 0)
		return CP_UNWIND_COMPLETE;
	w->pc = ra - 1;
	w->exact = false;
	return emit(w, w->pc) ? CP_UNWIND_NONE : CP_UNWIND_LIMIT;
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
			return unreadable(w, cfa - word);
		if (link && (r & CP_RULE_LR) &&
		    !cp_walk_word(w, fp + word, &ra))
			return unreadable(w, fp + word);
		if (CP_UNLIKELY(cfa <= w->sp) && (!w->exact || cfa < w->sp))
			return CP_UNWIND_LOOP;
		if (cp_rule_saves_fp(r))
			(void)cp_walk_word(w, fp, &w->fp);
		w->sp = cfa;
		w->lr = ra;
		w->knows = CP_KNOWS_FEW;
		w->loose = false;
		w->guessed = CP_BY_RULE;
		end = caller(w, ra & w->pac);
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

/* A register of the sample; 0: not recorded. */
static inline uint64_t
recorded(const struct cp_unwind_walk *w, uint8_t reg)
{
	uint8_t place = reg != CP_NO_REG ? w->u->place[reg] : CP_NO_REG;
	uint64_t v;

	if (place == CP_NO_REG)
		return 0;
	v = cp_load64(w->in->sample->user_regs + 8 * place, w->swap);
	return w->arch->word == 4 ? (uint32_t)v : v;
}

static void
known_registers(const struct cp_unwind_walk *w, struct cp_regs *r)
{
	const struct cp_arch *a = w->arch;

	if (w->knows == CP_KNOWS_FULL) {
		*r = w->full;
		return;
	}
	if (w->knows == CP_KNOWS_SAMPLE) {
		memcpy(r->known, w->u->place_known, sizeof(r->known));
		for (uint8_t i = 0; i < a->regs; i++)
			r->v[i] = recorded(w, i);
		return;
	}
	r->known[0] = r->known[1] = 0;
	cp_reg_set(r, a->sp, w->sp);
	cp_reg_set(r, a->fp, w->fp);
	cp_reg_set(r, a->pc, w->exact ? w->pc : w->pc + 1);
	if (a->machine == EM_ARM)
		cp_reg_set(r, 7, w->r7);
	if (a->lr != CP_NO_REG)
		cp_reg_set(r, a->lr, w->lr);
}

/* -------------------------------------------------------------- full rules */

static enum cp_unwind_end
end_of(const struct cp_unwind_walk *w, enum cp_eval status)
{
	switch (status) {
	case CP_EVAL_MEMORY: return unreadable(w, w->missing);
	case CP_EVAL_LIMIT: return CP_UNWIND_LIMIT;
	default: return CP_UNWIND_UNSUPPORTED;
	}
}

/*
 * A trampoline's pc was a return address to its first instruction, not after a
 * call: so it is shown as it is.
 */
static void
signal_frame(struct cp_unwind_walk *w)
{
	if (!w->exact && w->n > 0)
		w->words[w->n - 1] = w->pc + 1;
}

/* Goes to the caller, whose registers are *next. */
static enum cp_unwind_end
go_to_caller(struct cp_unwind_walk *w, bool signal, const struct cp_regs *next)
{
	const struct cp_arch *a = w->arch;
	uint64_t ra = next->v[a->pc] & w->pac, sp = next->v[a->sp];

	if (!signal && (sp < w->sp || (sp == w->sp && !w->exact)))
		return CP_UNWIND_LOOP;
	w->full = *next;
	w->knows = CP_KNOWS_FULL;
	w->loose = false;
	w->sp = sp;
	w->fp = next->v[a->fp];
	if (a->lr != CP_NO_REG)
		w->lr = next->v[a->lr];
	w->r7 = next->v[7];
	w->thumb = next->v[a->pc] & 1;
	if (!signal)
		return caller(w, ra);
	if (ra == 0)
		return CP_UNWIND_COMPLETE;
	w->pc = ra;
	w->exact = true;
	return emit(w, ra) ? CP_UNWIND_NONE : CP_UNWIND_LIMIT;
}

/* Outside the body a rule may take any word for the return address. */
static bool
leads_nowhere(struct cp_unwind_walk *w, const struct cp_regs *next)
{
	return cp_walk_map(w, (next->v[w->arch->pc] & w->pac) - 1) == NULL;
}

static bool
guess(struct cp_unwind_walk *w)
{
	if (!cp_walk_guess(w))
		return false;
	w->knows = CP_KNOWS_FEW;
	return true;
}

/*
 * True if a rule of the body can be used at pc.  The code is trusted more if
 * they differ, unless only the rule's return address is after a call that leads
 * here.
 */
static bool
rule_holds(struct cp_unwind_walk *w, const struct cp_regs *by_rule,
    const struct cp_regs *by_code)
{
	const struct cp_arch *a = w->arch;
	uint64_t rule = by_rule->v[a->pc], code = by_code->v[a->pc];

	if (rule == code && by_rule->v[a->sp] == by_code->v[a->sp])
		return true;
	return cp_walk_map(w, (rule & w->pac) - 1) != NULL &&
	       !cp_walk_called(w, code) && cp_walk_called(w, rule);
}

/* Follows the code instead of a body's rule.  True: *next is by the code. */
static bool
follow_code_instead(struct cp_unwind_walk *w, const struct cp_regs *regs,
    enum cp_eval status, struct cp_regs *next)
{
	struct cp_regs by_code;

	if (!w->exact || !cp_walk_run(w, regs, &by_code) ||
	    (status == CP_EVAL_OK && rule_holds(w, next, &by_code)))
		return false;
	*next = by_code;
	return true;
}

/*
 * Like by_stack() for a full rule: sets the stack pointer from the frame
 * pointer.
 */
static void
set_stack_pointer(const struct cp_unwind_walk *w, const struct cp_full_rule *f,
    struct cp_regs *regs)
{
	const struct cp_arch *a = w->arch;

	if (f->cfa.kind != CP_CFI_OFFSET || f->cfa.reg != a->sp)
		return;
	for (size_t i = 0; i < f->n; i++)
		if (f->saved[i].reg == a->fp &&
		    f->saved[i].rule.kind == CP_CFI_OFFSET)
			cp_reg_set(regs, a->sp,
			    w->fp - (uint64_t)f->saved[i].rule.u.offset -
				(uint64_t)f->cfa.u.offset);
}

/* Steps by full rule id.  *again: a needed register is unknown. */
static enum cp_unwind_end
full_step(struct cp_unwind_walk *w, uint32_t id, bool *again)
{
	const struct cp_full_rule *f = w->u->full.all.data[id];
	struct cp_regs regs, next;
	enum cp_eval status;
	bool end;

	if (w->steps == 0)
		return CP_UNWIND_LIMIT;
	w->steps--;
	known_registers(w, &regs);
	if (w->loose)
		set_stack_pointer(w, f, &regs);
	if (f->signal)
		signal_frame(w);
	status = cp_walk_step(w, f, &regs, &next, &end);
	if (f->body && !f->signal &&
	    follow_code_instead(w, &regs, status, &next)) {
		w->guessed = CP_BY_EDGE;
		return go_to_caller(w, false, &next);
	}
	if (status == CP_EVAL_REGISTER) {
		*again = true;
		return CP_UNWIND_NONE;
	}
	if (status != CP_EVAL_OK)
		return end_of(w, status);
	if (end)
		return CP_UNWIND_COMPLETE;
	if (f->body && w->exact && leads_nowhere(w, &next) && guess(w))
		return caller(w, w->pc);
	w->guessed = CP_BY_RULE;
	return go_to_caller(w, f->signal, &next);
}

/*
 * Returns the trampoline's rule if pc is just after its last instruction: the
 * kernel is returning from a signal.  0: it is not.
 */
static uint32_t
trampoline(struct cp_unwind_walk *w)
{
	uint32_t rule =
	    w->exact ? cp_walk_full_rule(w, w->pc - 1) : CP_RULE_ABSENT;

	return cp_rule_kind(rule) == CP_RULE_FULL &&
		       w->u->full.all.data[rule >> 4]->signal
		   ? rule >> 4
		   : 0;
}

/* Follows the code to its return.  Remembers failures, which take long. */
static bool
follow_code(struct cp_unwind_walk *w, struct cp_regs *next)
{
	uint64_t *no_way = &w->no_way[w->pc / 2 % CP_ARRAY_LEN(w->no_way)];
	struct cp_regs regs;

	if (*no_way == w->pc)
		return false;
	known_registers(w, &regs);
	if (cp_walk_run(w, &regs, next))
		return true;
	*no_way = w->pc;
	return false;
}

static enum cp_unwind_end
from_signal(struct cp_unwind_walk *w, const struct cp_regs *next)
{
	w->steps--;
	signal_frame(w);
	if (w->missing != 0)
		return unreadable(w, w->missing);
	w->guessed = CP_BY_EDGE;
	return go_to_caller(w, true, next);
}

static enum cp_unwind_end
no_table(struct cp_unwind_walk *w, bool *again)
{
	const struct cp_map *m = cp_walk_map(w, w->pc);
	uint32_t id = trampoline(w);
	/* A chain of frame pointers ends with zero. */
	bool last =
	    w->fp == 0 &&
	    (w->guessed == CP_BY_POINTER ||
		(w->guessed == CP_BY_EDGE && w->arch->machine == EM_X86_64));
	struct cp_regs next;

	if (id != 0)
		return full_step(w, id, again);
	if (cp_walk_sigreturn(w, &next))
		return from_signal(w, &next);
	if (!w->exact && cp_walk_returns_to_start(w, w->pc + 1)) {
		w->words[w->n - 1] = w->pc + 1;
		return CP_UNWIND_COMPLETE;
	}
	if (follow_code(w, &next)) {
		w->guessed = CP_BY_EDGE;
		return go_to_caller(w, false, &next);
	}
	if (guess(w))
		return caller(w, w->pc);
	if (w->u->scan && cp_walk_scan(w)) {
		w->guessed = CP_BY_SCAN;
	} else if (!w->exact && (last || cp_walk_begins(w, w->pc))) {
		return CP_UNWIND_COMPLETE;
	} else {
		w->in->dso = m != NULL ? m->dso : 0;
		return CP_UNWIND_NO_TABLE;
	}
	w->knows = CP_KNOWS_FEW;
	return caller(w, w->pc);
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
	w->base = recorded(w, a->sp);
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
	w->pc = recorded(w, a->pc);
	w->sp = recorded(w, a->sp);
	w->fp = recorded(w, a->fp);
	w->lr = recorded(w, a->lr);
	w->r7 = recorded(w, 7);
	(void)emit(w, w->pc);
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
			end = full_step(w, rule >> 4, &again);
		else if (w->steps == 0)
			end = CP_UNWIND_LIMIT;
		else
			end = no_table(w, &again);
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
			end = full_step(w, rule >> 4, &again);
		else if (w->steps == 0)
			end = CP_UNWIND_LIMIT;
		else
			end = no_table(w, &again);
		if (again)
			return walk_full(w);
	} while (end == CP_UNWIND_NONE);
	return end;
}

size_t
cp_unwind(void *ctx, struct cp_unwind *in)
{
	struct cp_unwind_walk w;

	in->dso = 0;
	in->end = CP_UNWIND_UNSUPPORTED;
	if (in->max < 4 || !begin(&w, ctx, in))
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
