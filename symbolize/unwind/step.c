/* SPDX-License-Identifier: MIT */
/*
 * One step by a full rule: all registers, and expressions.
 *
 * A register without a rule keeps its value, even if a callee may change it:
 * hand-written code relies on that.  A register whose slot is unreadable keeps
 * its value too: in an epilogue it was restored, and its slot is below the
 * stack already.
 */
#include "symbolize/unwind/walk.h"

#include "symbolize/unwind/memory.h"

static enum cp_eval
find_cfa(struct cp_expr *e, const struct cp_full_rule *f, uint32_t *steps,
    uint64_t *cfa)
{
	if (f->cfa.kind == CP_CFI_EXPRESSION)
		return cp_expr_value(e, &f->cfa, steps, cfa);
	if (!cp_reg_known(e->regs, f->cfa.reg))
		return CP_EVAL_REGISTER;
	*cfa = e->regs->v[f->cfa.reg] + (uint64_t)f->cfa.u.offset;
	return CP_EVAL_OK;
}

static enum cp_eval
load_word(struct cp_expr *e, uint64_t at, uint64_t *v)
{
	if (e->read(e->ctx, at, e->arch->word, v))
		return CP_EVAL_OK;
	e->where = at;
	return CP_EVAL_MEMORY;
}

static enum cp_eval
find_value(struct cp_expr *e, const struct cp_cfi_rule *r, uint32_t *steps,
    uint64_t *v)
{
	enum cp_eval status;
	uint64_t at;

	switch (r->kind) {
	case CP_CFI_OFFSET:
		return load_word(e, *e->cfa + (uint64_t)r->u.offset, v);
	case CP_CFI_VAL_OFFSET:
		*v = *e->cfa + (uint64_t)r->u.offset;
		return CP_EVAL_OK;
	case CP_CFI_REGISTER:
		if (r->u.offset < 0 || r->u.offset >= e->arch->regs)
			return CP_EVAL_BAD;
		if (!cp_reg_known(e->regs, (unsigned)r->u.offset))
			return CP_EVAL_REGISTER;
		*v = e->regs->v[r->u.offset];
		return CP_EVAL_OK;
	case CP_CFI_EXPRESSION:
		status = cp_expr_value(e, r, steps, &at);
		return status == CP_EVAL_OK ? load_word(e, at, v) : status;
	case CP_CFI_VAL_EXPRESSION: return cp_expr_value(e, r, steps, v);
	default: return CP_EVAL_BAD;
	}
}

/* The return address without a rule: on the stack, or in its register. */
static enum cp_eval
default_return(struct cp_expr *e, uint8_t ra, uint64_t *v)
{
	if (e->arch->lr == CP_NO_REG)
		return load_word(e, *e->cfa - e->arch->word, v);
	if (!cp_reg_known(e->regs, ra))
		return CP_EVAL_REGISTER;
	*v = e->regs->v[ra];
	return CP_EVAL_OK;
}

/* True for rules that the walk needs; others may fail. */
static bool
essential(const struct cp_arch *a, const struct cp_full_rule *f, uint8_t reg)
{
	return reg == f->ra || reg == a->sp || reg == a->fp;
}

static enum cp_eval
saved_registers(struct cp_expr *e, const struct cp_full_rule *f,
    uint32_t *steps, struct cp_regs *out, bool *found_ra, bool *end)
{
	const struct cp_arch *a = e->arch;

	for (size_t i = 0; i < f->n; i++) {
		const struct cp_full_saved *s = &f->saved[i];
		enum cp_eval status;
		uint64_t v;

		if (s->rule.kind == CP_CFI_UNDEFINED) {
			*end |= s->reg == f->ra;
			if (s->reg != a->fp && s->reg != a->sp)
				cp_reg_forget(out, s->reg);
			continue;
		}
		status = find_value(e, &s->rule, steps, &v);
		if (status == CP_EVAL_OK) {
			cp_reg_set(out, s->reg, v);
			*found_ra |= s->reg == f->ra;
		} else if (status == CP_EVAL_LIMIT || s->reg == f->ra) {
			return status;
		} else if (status == CP_EVAL_REGISTER) {
			if (essential(a, f, s->reg))
				return status;
			cp_reg_forget(out, s->reg);
		}
	}
	return CP_EVAL_OK;
}

enum cp_eval
cp_walk_step(struct cp_unwind_walk *w, const struct cp_full_rule *f,
    const struct cp_regs *regs, struct cp_regs *out, bool *end)
{
	struct cp_expr e = { .arch = w->arch,
		.regs = regs,
		.read = cp_walk_read,
		.ctx = w,
		.swap = f->swap };
	bool found_ra = false;
	enum cp_eval status;
	uint64_t cfa, ra;

	*end = false;
	status = find_cfa(&e, f, &w->steps, &cfa);
	if (status == CP_EVAL_OK) {
		e.cfa = &cfa;
		*out = *regs;
		cp_reg_set(out, w->arch->sp, cfa - w->arch->bias);
		status = saved_registers(&e, f, &w->steps, out, &found_ra, end);
	}
	if (status == CP_EVAL_OK && !*end) {
		ra = found_ra ? out->v[f->ra] : 0;
		if (!found_ra)
			status = default_return(&e, f->ra, &ra);
		cp_reg_set(out, w->arch->pc, ra);
	}
	w->missing = e.where;
	return status;
}
