/* SPDX-License-Identifier: MIT */
/*
 * Runs call frame programs up to the row of an address.
 *
 * CFA instructions build a function's table row by row.  Rules of untracked
 * registers are read and dropped.  The stack of remember_state is bounded; a
 * program that exceeds it is broken.
 */
#include "symbolize/cfi/fde.h"

#include "base/leb128.h"
#include "symbolize/cfi/constants.h"

enum { REMEMBER = 8 };

struct machine {
	const struct cp_arch *arch;
	const struct cp_cfi_cie *cie;
	struct cp_bytes b;
	uint64_t loc;
	struct cp_cfi_row *row;
	/* NULL while the CIE's own program runs */
	const struct cp_cfi_row *initial;
	/* stack of remembered rows, up to REMEMBER */
	struct cp_cfi_row *kept;
	unsigned n_kept;
};

static void
copy_rules(const struct cp_arch *a, struct cp_cfi_row *to,
    const struct cp_cfi_row *from)
{
	to->cfa = from->cfa;
	memcpy(to->reg, from->reg, a->regs * sizeof(to->reg[0]));
}

/* Returns the rule of a register; a dummy if it is not tracked. */
static struct cp_cfi_rule *
rule_of(struct machine *m, uint64_t reg)
{
	static _Thread_local struct cp_cfi_rule ignored;

	return reg < m->arch->regs ? &m->row->reg[reg] : &ignored;
}

static void
set(struct machine *m, uint64_t reg, enum cp_cfi_kind kind, int64_t offset)
{
	struct cp_cfi_rule *r = rule_of(m, reg);

	*r = (struct cp_cfi_rule){ .kind = (uint8_t)kind };
	r->u.offset = offset;
}

static int64_t
factored(const struct machine *m, int64_t n)
{
	return (int64_t)((uint64_t)n * (uint64_t)m->cie->data_align);
}

static void
set_expression(struct machine *m, struct cp_cfi_rule *r, enum cp_cfi_kind kind)
{
	uint64_t n = cp_bytes_uleb(&m->b);

	*r = (struct cp_cfi_rule){ .kind = (uint8_t)kind };
	if (n > cp_bytes_left(&m->b) || n > UINT32_MAX) {
		m->b.failed = true;
		return;
	}
	r->size = (uint32_t)n;
	r->u.expression = cp_bytes_take(&m->b, (size_t)n);
}

static void
set_cfa(struct machine *m, uint64_t reg, int64_t offset)
{
	if (reg >= m->arch->regs) {
		m->b.failed = true;
		return;
	}
	m->row->cfa =
	    (struct cp_cfi_rule){ .kind = CP_CFI_OFFSET, .reg = (uint8_t)reg };
	m->row->cfa.u.offset = offset;
}

/*
 * Only a CFA of the kind OFFSET can change its register or offset.  riscv
 * tables begin with the register alone: then the offset is 0.
 */
static void
change_cfa(struct machine *m, const uint64_t *reg, const int64_t *offset)
{
	struct cp_cfi_rule *c = &m->row->cfa;

	if (c->kind == CP_CFI_SAME && reg != NULL)
		set_cfa(m, *reg, 0);
	else if (c->kind != CP_CFI_OFFSET)
		m->b.failed = true;
	else
		set_cfa(m, reg != NULL ? *reg : c->reg,
		    offset != NULL ? *offset : c->u.offset);
}

static void
restore(struct machine *m, uint64_t reg)
{
	if (reg >= m->arch->regs)
		return;
	if (m->initial != NULL)
		m->row->reg[reg] = m->initial->reg[reg];
	else
		set(m, reg, CP_CFI_SAME, 0);
}

static void
remember(struct machine *m)
{
	if (m->n_kept == REMEMBER)
		m->b.failed = true;
	else
		copy_rules(m->arch, &m->kept[m->n_kept++], m->row);
}

static void
restore_state(struct machine *m)
{
	if (m->n_kept == 0)
		m->b.failed = true;
	else
		copy_rules(m->arch, m->row, &m->kept[--m->n_kept]);
}

/* Instructions that set the CFA.  False: op is another kind. */
static bool
step_cfa(struct machine *m, uint8_t op)
{
	struct cp_bytes *b = &m->b;
	uint64_t reg;
	int64_t offset;

	switch (op) {
	case DW_CFA_def_cfa:
		reg = cp_bytes_uleb(b);
		set_cfa(m, reg, (int64_t)cp_bytes_uleb(b));
		return true;
	case DW_CFA_def_cfa_sf:
		reg = cp_bytes_uleb(b);
		set_cfa(m, reg, factored(m, cp_bytes_sleb(b)));
		return true;
	case DW_CFA_def_cfa_register:
		reg = cp_bytes_uleb(b);
		change_cfa(m, &reg, NULL);
		return true;
	case DW_CFA_def_cfa_offset:
		offset = (int64_t)cp_bytes_uleb(b);
		change_cfa(m, NULL, &offset);
		return true;
	case DW_CFA_def_cfa_offset_sf:
		offset = factored(m, cp_bytes_sleb(b));
		change_cfa(m, NULL, &offset);
		return true;
	case DW_CFA_def_cfa_expression:
		set_expression(m, &m->row->cfa, CP_CFI_EXPRESSION);
		return true;
	default: return false;
	}
}

/* Instructions about one register.  False: op is another kind. */
static bool
step_register(struct machine *m, uint8_t op)
{
	struct cp_bytes *b = &m->b;
	uint64_t reg;

	if (op < DW_CFA_offset_extended ||
	    op > DW_CFA_GNU_negative_offset_extended)
		return false;
	if (op == DW_CFA_remember_state || op == DW_CFA_restore_state ||
	    op == DW_CFA_GNU_window_save || op == DW_CFA_GNU_args_size)
		return false;
	reg = cp_bytes_uleb(b);
	switch (op) {
	case DW_CFA_offset_extended:
		set(m, reg, CP_CFI_OFFSET,
		    factored(m, (int64_t)cp_bytes_uleb(b)));
		return true;
	case DW_CFA_offset_extended_sf:
		set(m, reg, CP_CFI_OFFSET, factored(m, cp_bytes_sleb(b)));
		return true;
	case DW_CFA_GNU_negative_offset_extended:
		set(m, reg, CP_CFI_OFFSET,
		    -factored(m, (int64_t)cp_bytes_uleb(b)));
		return true;
	case DW_CFA_val_offset:
		set(m, reg, CP_CFI_VAL_OFFSET,
		    factored(m, (int64_t)cp_bytes_uleb(b)));
		return true;
	case DW_CFA_val_offset_sf:
		set(m, reg, CP_CFI_VAL_OFFSET, factored(m, cp_bytes_sleb(b)));
		return true;
	case DW_CFA_register:
		set(m, reg, CP_CFI_REGISTER, (int64_t)cp_bytes_uleb(b));
		return true;
	case DW_CFA_restore_extended: restore(m, reg); return true;
	case DW_CFA_undefined: set(m, reg, CP_CFI_UNDEFINED, 0); return true;
	case DW_CFA_same_value: set(m, reg, CP_CFI_SAME, 0); return true;
	case DW_CFA_expression:
		set_expression(m, rule_of(m, reg), CP_CFI_EXPRESSION);
		return true;
	case DW_CFA_val_expression:
		set_expression(m, rule_of(m, reg), CP_CFI_VAL_EXPRESSION);
		return true;
	default: m->b.failed = true; return true;
	}
}

/* All others.  An unknown instruction breaks the table from there on. */
static void
step_other(struct machine *m, uint8_t op)
{
	switch (op) {
	case DW_CFA_nop: break;
	case DW_CFA_remember_state: remember(m); break;
	case DW_CFA_restore_state: restore_state(m); break;
	case DW_CFA_GNU_args_size: (void)cp_bytes_uleb(&m->b); break;
	/* arm64: toggles signing of the return address; see unwind/ */
	case DW_CFA_GNU_window_save: break;
	default: m->b.failed = true; break;
	}
}

/* A location does not wrap: what follows is after all addresses. */
static void
advance(struct machine *m, uint64_t delta)
{
	uint64_t n;

	if (__builtin_mul_overflow(delta, m->cie->code_align, &n) ||
	    __builtin_add_overflow(m->loc, n, &m->loc))
		m->loc = UINT64_MAX;
}

static void
step(struct machine *m)
{
	struct cp_bytes *b = &m->b;
	uint8_t op = cp_bytes_u8(b), low = op & 0x3f;

	switch (op & 0xc0) {
	case DW_CFA_advance_loc: advance(m, low); return;
	case DW_CFA_offset:
		set(m, low, CP_CFI_OFFSET,
		    factored(m, (int64_t)cp_bytes_uleb(b)));
		return;
	case DW_CFA_restore: restore(m, low); return;
	default: break;
	}
	switch (op) {
	case DW_CFA_set_loc:
		/* No compiler emits it, and decoding needs the section. */
		b->failed = true;
		break;
	case DW_CFA_advance_loc1: advance(m, cp_bytes_u8(b)); break;
	case DW_CFA_advance_loc2: advance(m, cp_bytes_u16(b)); break;
	case DW_CFA_advance_loc4: advance(m, cp_bytes_u32(b)); break;
	case DW_CFA_MIPS_advance_loc8: advance(m, cp_bytes_u64(b)); break;
	default:
		if (!step_cfa(m, op) && !step_register(m, op))
			step_other(m, op);
		break;
	}
}

/* Runs the program until the row of addr is complete. */
static bool
run(struct machine *m, struct cp_bytes program, uint64_t addr, uint32_t *steps)
{
	m->b = program;
	while (m->b.at < m->b.end && m->loc <= addr) {
		if (*steps == 0)
			return false;
		--*steps;
		step(m);
		if (m->b.failed)
			return false;
	}
	return true;
}

bool
cp_cfi_execute(const struct cp_arch *arch, const struct cp_cfi_fde *f,
    uint64_t addr, struct cp_cfi_row *row, uint32_t *steps)
{
	struct cp_cfi_row initial, kept[REMEMBER];
	struct machine m = { .arch = arch,
		.cie = &f->cie,
		.row = row,
		.kept = kept,
		.loc = f->start };
	bool ok;

	memset(row->reg, 0, arch->regs * sizeof(row->reg[0]));
	row->cfa = (struct cp_cfi_rule){ 0 };
	row->ra = f->cie.ra;
	row->signal = f->cie.signal;
	row->body = false;
	row->swap = f->program.swap;
	ok = run(&m, f->cie.program, UINT64_MAX, steps);
	copy_rules(arch, &initial, row);
	m.initial = &initial;
	m.loc = f->start;
	m.n_kept = 0;
	ok = ok && run(&m, f->program, addr, steps);
	return ok && row->cfa.kind != CP_CFI_SAME;
}
