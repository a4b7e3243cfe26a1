/* SPDX-License-Identifier: MIT */
/*
 * A step that needs more than a packed rule: by a full rule, by the code, or by
 * a guess.
 */
#include "symbolize/unwind/walk.h"

#include "base/limits.h"
#include "symbolize/unwind/frames.h"
#include "symbolize/unwind/objects.h"
#include "symbolize/unwind/rule-lookup.h"

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
			r->v[i] = cp_walk_recorded(w, i);
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
	case CP_EVAL_MEMORY: return cp_walk_unreadable(w, w->missing);
	case CP_EVAL_LIMIT: return CP_UNWIND_LIMIT;
	default: return CP_UNWIND_UNSUPPORTED;
	}
}

/*
 * A trampoline's pc is its first instruction, to which the handler returns, and
 * not the address after a call.  So it is shown unchanged.
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
		return cp_walk_caller(w, ra);
	if (ra == 0)
		return CP_UNWIND_COMPLETE;
	w->pc = ra;
	w->exact = true;
	return cp_walk_emit(w, ra) ? CP_UNWIND_NONE : CP_UNWIND_LIMIT;
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

enum cp_unwind_end
cp_walk_full_step(
    struct cp_unwind_walk *w, uint32_t id, uint64_t pc, bool *again)
{
	const struct cp_full_rule *f = w->u->full.all.data[id];
	struct cp_regs regs, next;
	enum cp_eval status;
	uint32_t steps;
	bool end;

	if (w->steps == 0)
		return CP_UNWIND_LIMIT;
	steps = --w->steps;
	known_registers(w, &regs);
	if (w->loose)
		set_stack_pointer(w, f, &regs);
	if (f->signal)
		signal_frame(w);
	status = cp_walk_step(w, f, &regs, &next, &end);
	if (CP_UNLIKELY(steps - w->steps > CP_FREE_RULE_STEPS))
		cp_walk_charge_at(w, pc, steps - w->steps);
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
		return cp_walk_caller(w, w->pc);
	w->guessed = CP_BY_RULE;
	return go_to_caller(w, f->signal, &next);
}

/* ------------------------------------------------------------ without one */

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
		return cp_walk_unreadable(w, w->missing);
	w->guessed = CP_BY_EDGE;
	return go_to_caller(w, true, next);
}

enum cp_unwind_end
cp_walk_no_table(struct cp_unwind_walk *w, bool *again)
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
		return cp_walk_full_step(w, id, w->pc - 1, again);
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
		return cp_walk_caller(w, w->pc);
	if (w->u->scan && cp_walk_scan(w)) {
		w->guessed = CP_BY_SCAN;
	} else if (!w->exact && (last || cp_walk_begins(w, w->pc))) {
		return CP_UNWIND_COMPLETE;
	} else {
		w->in->dso = m != NULL ? m->dso : 0;
		return CP_UNWIND_NO_TABLE;
	}
	w->knows = CP_KNOWS_FEW;
	return cp_walk_caller(w, w->pc);
}
