/* SPDX-License-Identifier: MIT */
/*
 * Decodes and follows one Thumb instruction, as far as arm.h needs.
 */
#include "symbolize/insn/arm.h"

enum { SP = CP_ARM_SP, LR = CP_ARM_LR, PC = CP_ARM_PC };

static uint32_t
extend(uint32_t v, unsigned bits)
{
	uint32_t sign = UINT32_C(1) << (bits - 1);

	return (v ^ sign) - sign;
}

/* A branch with a condition of its own. */
static enum cp_arm_flow
fork_to(struct cp_arm *m, uint32_t offset)
{
	m->condition = CP_ARM_SOME;
	return cp_arm_jump(m, m->pc + 4 + offset, true);
}

/* 0x4400 to 0x47ff: may use registers above R7. */
static enum cp_arm_flow
high_registers(struct cp_arm *m, uint16_t code)
{
	unsigned rm = code >> 3 & 15, rd = (code & 7) | (code >> 4 & 8);

	switch (code >> 8 & 3) {
	case 0:
		if (rd == PC)
			return CP_ARM_DEAD;
		if (cp_arm_known(m, rm))
			cp_arm_add(m, rd, rd, m->v[rm]);
		else
			cp_arm_forget(m, rd);
		return CP_ARM_NEXT;
	case 1: return CP_ARM_NEXT;
	case 2:
		if (rd == PC)
			return cp_arm_branch(m, rm);
		cp_arm_add(m, rd, rm, 0);
		return CP_ARM_NEXT;
	default: return code & 0x80 ? cp_arm_call(m) : cp_arm_branch(m, rm);
	}
}

/* 0xb000 to 0xbfff. */
static enum cp_arm_flow
miscellaneous(struct cp_arm *m, uint16_t code)
{
	uint32_t list = code & 0xff, by = (code & 0x7f) * 4u;
	struct cp_arm_address push = {
		.base = SP, .before = true, .write = true, .offset = -4
	};
	struct cp_arm_address pop = { .base = SP, .write = true, .offset = 4 };

	if ((code & 0xff00) == 0xb000)
		cp_arm_add(m, SP, SP, code & 0x80 ? 0 - by : by);
	else if ((code & 0xf500) == 0xb100) /* cbz, cbnz */
		return fork_to(m, (code >> 3 & 0x40) | (code >> 2 & 0x3e));
	else if ((code & 0xfe00) == 0xb400)
		return cp_arm_block(
		    m, list | (code & 0x100u) << (LR - 8), &push, false);
	else if ((code & 0xfe00) == 0xbc00)
		return cp_arm_block(
		    m, list | (code & 0x100u) << (PC - 8), &pop, true);
	else if ((code & 0xff00) == 0xbf00 && (code & 15) != 0)
		m->it = (uint8_t)(4 - __builtin_ctz(code & 15));
	return CP_ARM_NEXT;
}

static enum cp_arm_flow
immediate(struct cp_arm *m, uint16_t code)
{
	unsigned rd = code >> 8 & 7;
	uint32_t v = code & 0xff;

	switch (code >> 11 & 3) {
	case 0: cp_arm_set(m, rd, v); break;
	case 1: break; /* cmp */
	case 2: cp_arm_add(m, rd, rd, v); break;
	default: cp_arm_add(m, rd, rd, 0 - v); break;
	}
	return CP_ARM_NEXT;
}

static enum cp_arm_flow
by_address(struct cp_arm *m, uint16_t code, uint8_t base, bool load)
{
	struct cp_arm_address a = {
		.base = base, .before = true, .offset = (code & 0xff) * 4
	};

	return cp_arm_transfer(m, code >> 8 & 7, &a, load);
}

enum cp_arm_flow
cp_thumb_step(struct cp_arm *m, uint16_t code)
{
	switch (code >> 11) {
	case 4:
	case 5:
	case 6:
	case 7: return immediate(m, code);
	case 8:
		if (code & 0x400)
			return high_registers(m, code);
		break;
	case 9: return by_address(m, code, PC, true);
	case 18: return by_address(m, code, SP, false);
	case 19: return by_address(m, code, SP, true);
	case 21: /* add rd, sp */
		cp_arm_add(m, code >> 8 & 7, SP, (code & 0xff) * 4u);
		return CP_ARM_NEXT;
	case 22:
	case 23: return miscellaneous(m, code);
	case 26:
	case 27:
		if ((code & 0xf00) == 0xe00) /* a trap */
			return CP_ARM_DEAD;
		return (code & 0xf00) == 0xf00
			   ? CP_ARM_NEXT
			   : fork_to(m, extend(code & 0xff, 8) * 2);
	case 28:
		return cp_arm_jump(
		    m, m->pc + 4 + extend(code & 0x7ff, 11) * 2, true);
	case 25: /* ldmia */
		m->known &= (uint16_t) ~(code & 0xff);
		return CP_ARM_NEXT;
	default: break;
	}
	/* Arithmetic and loads: the lowest bits are the destination. */
	if (code < 0x4400 || (code >> 12 >= 5 && code >> 12 < 9))
		cp_arm_forget(m, code & 7);
	return CP_ARM_NEXT;
}

/* ------------------------------------------------------------- two halves */

/* Expands ThumbExpandImm: an 8-bit number in a pattern. */
static uint32_t
expand(uint32_t code)
{
	uint32_t v = code & 0xff;
	unsigned how = (code >> 23 & 8) | (code >> 12 & 7);
	unsigned n = how << 1 | v >> 7;

	switch (how) {
	case 0: return v;
	case 1: return v << 16 | v;
	case 2: return v << 24 | v << 8;
	case 3: return v * 0x01010101u;
	default: v |= 0x80; return v >> n | v << (32 - n);
	}
}

static uint32_t
twelve(uint32_t code)
{
	return (code >> 15 & 0x800) | (code >> 4 & 0x700) | (code & 0xff);
}

enum { BIC = 1, ORR = 2, ADD = 8, SUB = 13 };

/* Data processing with a modified immediate. */
static void
with_pattern(struct cp_arm *m, uint32_t code)
{
	unsigned op = code >> 21 & 15, rd = code >> 8 & 15;
	unsigned rn = code >> 16 & 15;

	if (rd == PC) /* a comparison */
		return;
	if (op == ADD)
		cp_arm_add(m, rd, rn, expand(code));
	else if (op == SUB)
		cp_arm_add(m, rd, rn, 0 - expand(code));
	else if (op == BIC && cp_arm_known(m, rn))
		cp_arm_set(m, rd, m->v[rn] & ~expand(code));
	else if (op == ORR && rn == PC)
		cp_arm_set(m, rd, expand(code));
	else
		cp_arm_forget(m, rd);
}

/* addw, subw, movw, movt: plain immediates. */
static void
with_number(struct cp_arm *m, uint32_t code)
{
	unsigned rd = code >> 8 & 15, rn = code >> 16 & 15;
	uint32_t wide = (code >> 4 & 0xf000) | twelve(code);

	if (rd == PC)
		return;
	switch (code >> 20 & 31) {
	case 0: cp_arm_add(m, rd, rn, twelve(code)); break;
	case 4: cp_arm_set(m, rd, wide); break;
	case 10: cp_arm_add(m, rd, rn, 0 - twelve(code)); break;
	case 12: cp_arm_set(m, rd, wide << 16 | (m->v[rd] & 0xffff)); break;
	default: cp_arm_forget(m, rd); break;
	}
}

static void
with_register(struct cp_arm *m, uint32_t code)
{
	unsigned op = code >> 21 & 15, rd = code >> 8 & 15;
	unsigned rn = code >> 16 & 15, rm = code & 15;
	bool known = cp_arm_known(m, rm) && (code & 0x70f0) == 0;

	if (rd == PC)
		return;
	if (known && op == ADD)
		cp_arm_add(m, rd, rn, m->v[rm]);
	else if (known && op == SUB)
		cp_arm_add(m, rd, rn, 0 - m->v[rm]);
	else if (known && op == ORR && rn == PC)
		cp_arm_set(m, rd, m->v[rm]);
	else
		cp_arm_forget(m, rd);
}

static enum cp_arm_flow
branch(struct cp_arm *m, uint32_t code)
{
	uint32_t sign = code >> 26 & 1, j1 = code >> 13 & 1;
	uint32_t j2 = code >> 11 & 1, low = code & 0x7ff;

	if (code & 0x4000) /* bl, blx */
		return cp_arm_call(m);
	if (code & 0x1000)
		return cp_arm_jump(m,
		    m->pc + 4 +
			extend(sign << 23 | (j1 ^ sign ^ 1) << 22 |
				   (j2 ^ sign ^ 1) << 21 |
				   (code >> 16 & 0x3ff) << 11 | low,
			    24) *
			    2,
		    true);
	if ((code >> 23 & 7) == 7) /* barriers, traps */
		return (code & 0xfff0f000) == 0xf7f0a000 ? CP_ARM_DEAD
							 : CP_ARM_NEXT;
	return fork_to(m, extend(sign << 19 | j2 << 18 | j1 << 17 |
				     (code >> 16 & 0x3f) << 11 | low,
			      20) *
			      2);
}

/* A table branch (tbb, tbh): follows its first entry. */
static enum cp_arm_flow
table_branch(struct cp_arm *m, bool halves)
{
	uint64_t by;

	if (!m->read(m->ctx, m->pc + 4, halves ? 2 : 1, &by))
		return CP_ARM_DEAD;
	return cp_arm_jump(m, m->pc + 4 + (uint32_t)by * 2, true);
}

/* Load/store multiple, pairs, exclusive access, table branch. */
static enum cp_arm_flow
transfer_many(struct cp_arm *m, uint32_t code)
{
	struct cp_arm_address a = { .base = code >> 16 & 15,
		.before = code >> 24 & 1,
		.write = code >> 21 & 1 };
	bool load = code >> 20 & 1;
	int64_t offset = (code & 0xff) * 4;

	if (!(code >> 22 & 1)) {
		a.offset = a.before ? -4 : 4;
		return (code >> 23 & 1) != a.before
			   ? cp_arm_block(m, code & 0xffff, &a, load)
			   : CP_ARM_DEAD;
	}
	if (!a.before && !a.write)
		return (code & 0xfff0ffe0) == 0xe8d0f000
			   ? table_branch(m, code >> 4 & 1)
			   : CP_ARM_NEXT;
	a.offset = code >> 23 & 1 ? offset : -offset;
	return cp_arm_pair(m, code >> 12 & 15, code >> 8 & 15, &a, load);
}

static enum cp_arm_flow
single(struct cp_arm *m, uint32_t code)
{
	struct cp_arm_address a = { .base = code >> 16 & 15, .before = true };
	unsigned rt = code >> 12 & 15;
	bool load = code >> 20 & 1, up = code >> 23 & 1;

	if (a.base == PC || up) {
		a.offset = up ? code & 0xfff : -(int64_t)(code & 0xfff);
	} else if (code & 0x800) {
		a.before = code >> 10 & 1;
		a.write = code >> 8 & 1;
		a.offset =
		    code >> 9 & 1 ? code & 0xff : -(int64_t)(code & 0xff);
	} else { /* offset in a register */
		if (load && rt == PC)
			return CP_ARM_DEAD;
		cp_arm_forget(m, load ? rt : 0);
		return CP_ARM_NEXT;
	}
	if ((code >> 21 & 3) == 2 && !(code >> 24 & 1))
		return cp_arm_transfer(m, rt, &a, load);
	if (a.write)
		cp_arm_add(m, a.base, a.base, (uint32_t)a.offset);
	if (load && rt != PC)
		cp_arm_forget(m, rt);
	return CP_ARM_NEXT;
}

enum cp_arm_flow
cp_thumb_wide_step(struct cp_arm *m, uint32_t code)
{
	uint32_t size = (code & 0xff) * 4;

	if ((code & 0xf8008000) == 0xf0008000)
		return branch(m, code);
	if ((code & 0xf8000000) == 0xf0000000) {
		if (code >> 25 & 1)
			with_number(m, code);
		else
			with_pattern(m, code);
	} else if ((code & 0xfe000000) == 0xe8000000) {
		return transfer_many(m, code);
	} else if ((code & 0xfe000000) == 0xea000000) {
		with_register(m, code);
	} else if ((code & 0xfe000000) == 0xf8000000) {
		return single(m, code);
	} else if ((code & 0xffbf0e00) == 0xed2d0a00) { /* vpush */
		cp_arm_add(m, SP, SP, 0 - size);
	} else if ((code & 0xffbf0e00) == 0xecbd0a00) { /* vpop */
		cp_arm_add(m, SP, SP, size);
	}
	return CP_ARM_NEXT;
}
