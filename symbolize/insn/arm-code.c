/* SPDX-License-Identifier: MIT */
/*
 * Decodes and follows one ARM instruction, as far as arm.h needs.
 */
#include "symbolize/insn/arm.h"

static uint32_t
rotate(uint32_t v, unsigned n)
{
	return n == 0 ? v : v >> n | v << (32 - n);
}

static int64_t
signed_by(uint32_t code, uint32_t offset)
{
	return code >> 23 & 1 ? (int64_t)offset : -(int64_t)offset;
}

static struct cp_arm_address
address(uint32_t code, uint32_t offset)
{
	bool before = code >> 24 & 1;

	return (struct cp_arm_address){ .base = code >> 16 & 15,
		.before = before,
		.write = !before || (code >> 21 & 1),
		.offset = signed_by(code, offset) };
}

/* ldr, str of words and bytes. */
static enum cp_arm_flow
transfer(struct cp_arm *m, uint32_t code)
{
	unsigned rt = code >> 12 & 15;
	struct cp_arm_address a = address(code, code & 0xfff);
	bool load = code >> 20 & 1, byte = code >> 22 & 1;

	if (code >> 25 & 1) {      /* the offset is in a register */
		if (code >> 4 & 1) /* media instructions or undefined */
			return (code & 0x0ff000f0) == 0x07f000f0 ? CP_ARM_DEAD
								 : CP_ARM_NEXT;
		if (a.write && a.base == CP_ARM_SP)
			return CP_ARM_DEAD;
		if (load && rt == CP_ARM_PC)
			return a.base == CP_ARM_PC
				   ? CP_ARM_DEAD
				   : cp_arm_branch(m, CP_ARM_LR);
	} else if (!byte) {
		return cp_arm_transfer(m, rt, &a, load);
	} else if (a.write) {
		cp_arm_add(m, a.base, a.base, (uint32_t)a.offset);
	}
	if (load)
		cp_arm_forget(m, rt);
	return CP_ARM_NEXT;
}

/* ldrd, strd.  Of other forms only the base update is followed. */
static enum cp_arm_flow
transfer_extra(struct cp_arm *m, uint32_t code)
{
	uint32_t offset = (code >> 4 & 0xf0) | (code & 15);
	unsigned rt = code >> 12 & 15, kind = code >> 5 & 3;
	struct cp_arm_address a = address(code, offset);

	if (kind == 0) /* multiply, swap, exclusive access */
		return CP_ARM_NEXT;
	if (!(code >> 22 & 1))
		return a.write && a.base == CP_ARM_SP ? CP_ARM_DEAD
						      : CP_ARM_NEXT;
	if (!(code >> 20 & 1) && kind >= 2 && rt < CP_ARM_LR)
		return cp_arm_pair(m, rt, rt + 1, &a, kind == 2);
	if (a.write)
		cp_arm_add(m, a.base, a.base, (uint32_t)a.offset);
	return CP_ARM_NEXT;
}

/* Computes the second operand.  False if it is unknown. */
static bool
operand(const struct cp_arm *m, uint32_t code, uint32_t *v)
{
	unsigned rm = code & 15;

	if (code >> 25 & 1) {
		*v = rotate(code & 0xff, 2 * (code >> 8 & 15));
		return true;
	}
	*v = m->v[rm];
	return (code & 0xff0) == 0 && cp_arm_known(m, rm);
}

enum { AND, EOR, SUB, RSB, ADD, TST = 8, CMN = 11, ORR, MOV, BIC, MVN };

static enum cp_arm_flow
arithmetic(struct cp_arm *m, uint32_t code)
{
	unsigned op = code >> 21 & 15, rn = code >> 16 & 15;
	unsigned rd = code >> 12 & 15;
	uint32_t v = 0;
	bool known = operand(m, code, &v);

	if (op >= TST && op <= CMN)
		return CP_ARM_NEXT;
	if (rd == CP_ARM_PC && rn == CP_ARM_PC && op == ADD)
		return CP_ARM_NEXT; /* belongs to one of the next cases */
	if (rd == CP_ARM_PC)
		return op == MOV && !(code >> 25 & 1)
			   ? cp_arm_branch(m, code & 15)
			   : CP_ARM_DEAD;
	if (known && op == MOV)
		cp_arm_set(m, rd, v);
	else if (known && op == MVN)
		cp_arm_set(m, rd, ~v);
	else if (known && op == ADD)
		cp_arm_add(m, rd, rn, v);
	else if (known && op == SUB)
		cp_arm_add(m, rd, rn, 0 - v);
	else if (known && (op == BIC || op == AND) && cp_arm_known(m, rn))
		cp_arm_set(m, rd, m->v[rn] & (op == BIC ? ~v : v));
	else
		cp_arm_forget(m, rd);
	return CP_ARM_NEXT;
}

/* movw, movt, bx, blx. */
static enum cp_arm_flow
other(struct cp_arm *m, uint32_t code)
{
	uint32_t v = (code >> 4 & 0xf000) | (code & 0xfff);
	unsigned rd = code >> 12 & 15;

	if ((code & 0x0ffffff0) == 0x012fff10)
		return cp_arm_branch(m, code & 15);
	if ((code & 0x0ffffff0) == 0x012fff30)
		return cp_arm_call(m);
	if ((code & 0x0ff00000) == 0x03000000)
		cp_arm_set(m, rd, v);
	else if ((code & 0x0ff00000) == 0x03400000)
		cp_arm_set(m, rd, v << 16 | (m->v[rd] & 0xffff));
	return CP_ARM_NEXT;
}

static enum cp_arm_flow
by_class(struct cp_arm *m, uint32_t code)
{
	struct cp_arm_address a = address(code, 0);

	switch (code >> 25 & 7) {
	case 0:
		if ((code & 0x90) == 0x90)
			return transfer_extra(m, code);
		/* fall through */
	case 1:
		return (code & 0x01900000) == 0x01000000 ? other(m, code)
							 : arithmetic(m, code);
	case 2:
	case 3: return transfer(m, code);
	case 4:
		a.write = code >> 21 & 1;
		a.offset = signed_by(code, 4);
		return cp_arm_block(m, code & 0xffff, &a, code >> 20 & 1);
	case 5:
		return code >> 24 & 1
			   ? cp_arm_call(m)
			   : cp_arm_jump(m,
				 m->pc + 8 +
				     (((code & 0xffffff) ^ 0x800000) -
					 0x800000) *
					 4,
				 false);
	case 6: /* vpush, vpop; other registers only change the pointer */
		if ((code & 0x002f0e00) == 0x002d0a00)
			cp_arm_add(m, CP_ARM_SP, CP_ARM_SP,
			    (uint32_t)signed_by(code, (code & 0xff) * 4));
		return CP_ARM_NEXT;
	default: return CP_ARM_NEXT;
	}
}

/* Conditions that were known do not hold after the flags change. */
static bool
sets_flags(uint32_t code)
{
	return (code >> 26 & 3) == 0 && (code >> 20 & 1) != 0;
}

enum cp_arm_flow
cp_arm_step(struct cp_arm *m, uint32_t code)
{
	uint8_t condition = (uint8_t)(code >> 28);
	enum cp_arm_flow flow;

	if (condition > CP_ARM_ALWAYS)
		return (code & 0xfe000000) == 0xfa000000 ? cp_arm_call(m)
							 : CP_ARM_NEXT;
	if (condition < CP_ARM_ALWAYS) {
		if (m->held == (condition ^ 1) + 1)
			return CP_ARM_NEXT;
		if (m->held != condition + 1)
			m->condition = condition;
	}
	flow = by_class(m, code);
	if (sets_flags(code) || (code >> 24 & 15) == 11)
		m->held = 0;
	return flow;
}
