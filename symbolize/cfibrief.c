/* SPDX-License-Identifier: MIT */
/*
 * Call frame programs once more, for what a packed rule is made of: the CFA,
 * and where the frame pointer and the return address are.  That is a ninth of
 * a row, so remembering one costs little, and programs of large functions
 * remember often.
 *
 * Whatever is not usual, broken or long, is left to cp_cfi_execute().
 */
#include "base/limits.h"
#include "symbolize/cfi.h"

#include <dwarf.h>

enum { FP, RA, FOLLOWED, REMEMBER = 8 };

/* No instruction that is known here is longer. */
enum { LONGEST = 8 };

struct state {
	uint64_t cfa;
	uint8_t cfa_reg; /* CP_NO_REG: there is none yet */
	uint8_t kind[FOLLOWED]; /* SAME or OFFSET */
	int64_t offset[FOLLOWED];
};

struct brief {
	const struct cp_cfi_cie *cie;
	uint8_t reg[FOLLOWED], sp, regs;
	struct state now, first, kept[REMEMBER];
	unsigned n_kept;
};

/* At most 28 bits; *p is NULL if it is longer. */
static inline uint32_t
number(const uint8_t **p)
{
	const uint8_t *s = *p;
	uint32_t v = *s & 0x7f;

	for (unsigned shift = 7; CP_UNLIKELY(*s++ & 0x80); shift += 7) {
		if (shift == 28) {
			*p = NULL;
			return 0;
		}
		v |= (uint32_t)(*s & 0x7f) << shift;
	}
	*p = s;
	return v;
}

static inline void
offset_rule(struct brief *b, uint8_t reg, const uint8_t **p)
{
	uint64_t n = number(p);

	for (unsigned i = 0; i < FOLLOWED; i++)
		if (reg == b->reg[i]) {
			b->now.kind[i] = CP_CFI_OFFSET;
			b->now.offset[i] = (int64_t)(n *
			    (uint64_t)b->cie->data_align);
		}
	if (CP_UNLIKELY(reg == b->sp))
		*p = NULL;
}

static inline void
restore_rule(struct brief *b, uint8_t reg)
{
	for (unsigned i = 0; i < FOLLOWED; i++)
		if (reg == b->reg[i]) {
			b->now.kind[i] = b->first.kind[i];
			b->now.offset[i] = b->first.offset[i];
		}
}

/* The register of a CFA; its offset follows. */
static inline uint8_t
cfa_register(const struct brief *b, const uint8_t **p)
{
	uint8_t reg = *(*p)++;

	if (reg >= b->regs)
		*p = NULL;
	return reg;
}

/* Instructions with a byte of their own; NULL: it is none of them. */
static inline const uint8_t *
step(struct brief *b, uint8_t op, const uint8_t *p)
{
	struct state *now = &b->now;

	switch (op) {
	case DW_CFA_def_cfa:
		now->cfa_reg = cfa_register(b, &p);
		if (p != NULL)
			now->cfa = number(&p);
		return p;
	case DW_CFA_def_cfa_register:
		if (now->cfa_reg == CP_NO_REG)
			return NULL;
		now->cfa_reg = cfa_register(b, &p);
		return p;
	case DW_CFA_nop:
	case DW_CFA_GNU_window_save: return p; /* see cfiprogram.c */
	case DW_CFA_GNU_args_size: (void)number(&p); return p;
	case DW_CFA_remember_state:
		if (b->n_kept == REMEMBER)
			return NULL;
		b->kept[b->n_kept++] = *now;
		return p;
	case DW_CFA_restore_state:
		if (b->n_kept == 0)
			return NULL;
		*now = b->kept[--b->n_kept];
		return p;
	default: return NULL;
	}
}

/* How far one goes on, in units of code; false: it does not, or is short. */
static inline bool
advances(uint8_t op, const uint8_t **p, bool swap, uint64_t *delta)
{
	const uint8_t *s = *p;

	switch (op) {
	case DW_CFA_advance_loc2:
		*delta = cp_load16(s, swap);
		*p = s + 2;
		return true;
	case DW_CFA_advance_loc4:
		*delta = cp_load32(s, swap);
		*p = s + 4;
		return true;
	default: return false;
	}
}

/* Until the row of addr is complete. */
static bool
run(struct brief *b, struct cp_bytes program, uint64_t loc, uint64_t addr)
{
	const uint8_t *p = program.at, *end = program.end;
	const uint64_t code = b->cie->code_align;
	uint64_t delta;

	while (p < end && loc <= addr) {
		uint8_t op = *p++, low = op & 0x3f;

		/* The most frequent first. */
		if ((op & 0xc0) == DW_CFA_advance_loc)
			loc += low * code;
		else if (op == DW_CFA_def_cfa_offset &&
		    b->now.cfa_reg != CP_NO_REG)
			b->now.cfa = number(&p);
		else if ((op & 0xc0) == DW_CFA_offset)
			offset_rule(b, low, &p);
		else if (op == DW_CFA_advance_loc1)
			loc += *p++ * code;
		else if ((op & 0xc0) == DW_CFA_restore)
			restore_rule(b, low);
		else if (advances(op, &p, program.swap, &delta))
			loc += delta * code;
		else
			p = step(b, op, p);
		if (CP_UNLIKELY(p == NULL || p > end))
			return false;
	}
	return true;
}

static void
fill_rule(struct cp_cfi_rule *r, const struct state *s, unsigned i)
{
	*r = (struct cp_cfi_rule) { .kind = s->kind[i] };
	if (r->kind != CP_CFI_SAME)
		r->u.offset = s->offset[i];
}

static void
fill(const struct cp_arch *a, const struct brief *b, struct cp_cfi_row *row)
{
	row->cfa = (struct cp_cfi_rule) { .kind = CP_CFI_OFFSET,
		.reg = b->now.cfa_reg };
	row->cfa.u.offset = (int64_t)b->now.cfa;
	row->reg[a->sp] = (struct cp_cfi_rule) { .kind = CP_CFI_SAME };
	fill_rule(&row->reg[b->reg[FP]], &b->now, FP);
	fill_rule(&row->reg[b->reg[RA]], &b->now, RA);
	row->ra = b->cie->ra;
	row->signal = b->cie->signal;
	row->swap = false;
}

bool
cp_cfi_brief_at(struct cp_cfi *c, uint64_t addr, struct cp_cfi_row *row)
{
	const struct cp_arch *a = c->arch;
	struct cp_cfi_fde f;
	struct brief b;

	if (!cp_cfi_find(c, addr, &f) || f.cie.ra >= a->regs ||
	    f.cie.ra == a->fp || f.cie.ra == a->sp ||
	    f.limit - f.program.end < LONGEST ||
	    f.limit - f.cie.program.end < LONGEST ||
	    cp_bytes_left(&f.program) + cp_bytes_left(&f.cie.program) >
		CP_MAX_CHEAP_RULE)
		return false;
	b.cie = &f.cie;
	b.reg[FP] = a->fp;
	b.reg[RA] = f.cie.ra;
	b.sp = a->sp;
	b.regs = a->regs;
	b.first = b.now = (struct state) { .cfa_reg = CP_NO_REG };
	b.n_kept = 0;
	if (!run(&b, f.cie.program, 0, UINT64_MAX))
		return false;
	b.first = b.now;
	b.n_kept = 0;
	if (!run(&b, f.program, f.start, addr) ||
	    b.now.cfa_reg == CP_NO_REG)
		return false;
	fill(a, &b, row);
	return true;
}
