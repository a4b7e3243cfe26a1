/* SPDX-License-Identifier: MIT */
/*
 * DWARF expressions as far as unwind tables use them: a stack machine on
 * addresses.
 *
 * Values have the width of an address.  Jumps may go backwards, so steps are
 * counted.
 */
#include "symbolize/cfi/expression.h"

#include "base/leb128.h"
#include "symbolize/cfi/constants.h"

enum { DEPTH = 64 };

struct machine {
	struct cp_expr *e;
	struct cp_bytes b;
	const uint8_t *start;
	uint64_t stack[DEPTH];
	unsigned n;
	enum cp_eval status;
};

static void
fail(struct machine *m, enum cp_eval why)
{
	if (m->status == CP_EVAL_OK)
		m->status = why;
}

static void
push(struct machine *m, uint64_t v)
{
	if (m->n == DEPTH)
		fail(m, CP_EVAL_BAD);
	else
		m->stack[m->n++] = m->e->arch->word == 4 ? (uint32_t)v : v;
}

static uint64_t
pop(struct machine *m)
{
	if (m->n == 0) {
		fail(m, CP_EVAL_BAD);
		return 0;
	}
	return m->stack[--m->n];
}

static int64_t
as_signed(const struct machine *m, uint64_t v)
{
	return m->e->arch->word == 4 ? (int32_t)(uint32_t)v : (int64_t)v;
}

static void
push_register(struct machine *m, uint64_t reg, int64_t offset)
{
	if (reg >= CP_REGS || !cp_reg_known(m->e->regs, (unsigned)reg))
		fail(
		    m, reg < m->e->arch->regs ? CP_EVAL_REGISTER : CP_EVAL_BAD);
	else
		push(m, m->e->regs->v[reg] + (uint64_t)offset);
}

static void
dereference(struct machine *m, unsigned size)
{
	uint64_t at = pop(m), v = 0;

	if (size == 0 || size > m->e->arch->word) {
		fail(m, CP_EVAL_BAD);
	} else if (m->status == CP_EVAL_OK &&
		   !m->e->read(m->e->ctx, at, size, &v)) {
		m->e->where = at;
		fail(m, CP_EVAL_MEMORY);
	}
	push(m, v);
}

static void
jump(struct machine *m)
{
	int64_t by = (int16_t)cp_bytes_u16(&m->b);
	int64_t at = m->b.at - m->start;

	if (m->b.failed || at + by < 0 || by > m->b.end - m->b.at)
		fail(m, CP_EVAL_BAD);
	else
		m->b.at += by;
}

/* Operations that push a constant.  False: op is another kind. */
static bool
constant(struct machine *m, uint8_t op)
{
	struct cp_bytes *b = &m->b;

	switch (op) {
	case DW_OP_addr:
		push(m,
		    m->e->arch->word == 4 ? cp_bytes_u32(b) : cp_bytes_u64(b));
		return true;
	case DW_OP_const1u: push(m, cp_bytes_u8(b)); return true;
	case DW_OP_const1s:
		push(m, (uint64_t)(int64_t)(int8_t)cp_bytes_u8(b));
		return true;
	case DW_OP_const2u: push(m, cp_bytes_u16(b)); return true;
	case DW_OP_const2s:
		push(m, (uint64_t)(int64_t)(int16_t)cp_bytes_u16(b));
		return true;
	case DW_OP_const4u: push(m, cp_bytes_u32(b)); return true;
	case DW_OP_const4s:
		push(m, (uint64_t)(int64_t)(int32_t)cp_bytes_u32(b));
		return true;
	case DW_OP_const8u:
	case DW_OP_const8s: push(m, cp_bytes_u64(b)); return true;
	case DW_OP_constu: push(m, cp_bytes_uleb(b)); return true;
	case DW_OP_consts: push(m, (uint64_t)cp_bytes_sleb(b)); return true;
	default: return false;
	}
}

static void
pick(struct machine *m, unsigned depth)
{
	if (depth >= m->n)
		fail(m, CP_EVAL_BAD);
	else
		push(m, m->stack[m->n - 1 - depth]);
}

/* Moves the top entry below the next n. */
static void
rotate(struct machine *m, unsigned n)
{
	uint64_t top = pop(m);

	if (m->n < n) {
		fail(m, CP_EVAL_BAD);
		return;
	}
	for (unsigned i = 0; i < n; i++)
		m->stack[m->n - i] = m->stack[m->n - i - 1];
	m->stack[m->n - n] = top;
	m->n++;
}

/* Operations that move stack entries or jump.  False: op is another kind. */
static bool
movement(struct machine *m, uint8_t op)
{
	switch (op) {
	case DW_OP_nop: return true;
	case DW_OP_dup: pick(m, 0); return true;
	case DW_OP_over: pick(m, 1); return true;
	case DW_OP_pick: pick(m, cp_bytes_u8(&m->b)); return true;
	case DW_OP_drop: (void)pop(m); return true;
	case DW_OP_swap: rotate(m, 1); return true;
	case DW_OP_rot: rotate(m, 2); return true;
	case DW_OP_skip: jump(m); return true;
	case DW_OP_bra:
		if (pop(m) != 0)
			jump(m);
		else
			(void)cp_bytes_u16(&m->b);
		return true;
	case DW_OP_deref: dereference(m, m->e->arch->word); return true;
	case DW_OP_deref_size: dereference(m, cp_bytes_u8(&m->b)); return true;
	default: return false;
	}
}

static uint64_t
shift(const struct machine *m, uint8_t op, uint64_t a, uint64_t n)
{
	unsigned width = m->e->arch->word * 8u;

	if (op == DW_OP_shra)
		return (uint64_t)(as_signed(m, a) >>
				  CP_MIN(n, (uint64_t)width - 1));
	if (n >= width)
		return 0;
	return op == DW_OP_shl ? a << n : a >> n;
}

static uint64_t
divide(struct machine *m, uint8_t op, uint64_t a, uint64_t b)
{
	int64_t x = as_signed(m, a), y = as_signed(m, b);

	if (b == 0) {
		fail(m, CP_EVAL_BAD);
		return 0;
	}
	if (op == DW_OP_mod)
		return a % b;
	return y == -1 ? 0 - (uint64_t)x : (uint64_t)(x / y);
}

static bool
compare(const struct machine *m, uint8_t op, uint64_t a, uint64_t b)
{
	int64_t x = as_signed(m, a), y = as_signed(m, b);

	switch (op) {
	case DW_OP_eq: return x == y;
	case DW_OP_ne: return x != y;
	case DW_OP_lt: return x < y;
	case DW_OP_le: return x <= y;
	case DW_OP_gt: return x > y;
	default: return x >= y;
	}
}

static bool
unary(struct machine *m, uint8_t op)
{
	uint64_t a;

	if (op != DW_OP_abs && op != DW_OP_neg && op != DW_OP_not &&
	    op != DW_OP_plus_uconst)
		return false;
	a = pop(m);
	if (op == DW_OP_plus_uconst)
		a += cp_bytes_uleb(&m->b);
	else if (op == DW_OP_not)
		a = ~a;
	else if (op == DW_OP_neg || as_signed(m, a) < 0)
		a = 0 - a;
	push(m, a);
	return true;
}

static void
binary(struct machine *m, uint8_t op)
{
	uint64_t b = pop(m), a = pop(m);

	switch (op) {
	case DW_OP_and: push(m, a & b); break;
	case DW_OP_or: push(m, a | b); break;
	case DW_OP_xor: push(m, a ^ b); break;
	case DW_OP_plus: push(m, a + b); break;
	case DW_OP_minus: push(m, a - b); break;
	case DW_OP_mul: push(m, a * b); break;
	case DW_OP_div:
	case DW_OP_mod: push(m, divide(m, op, a, b)); break;
	case DW_OP_shl:
	case DW_OP_shr:
	case DW_OP_shra: push(m, shift(m, op, a, b)); break;
	case DW_OP_eq:
	case DW_OP_ne:
	case DW_OP_lt:
	case DW_OP_le:
	case DW_OP_gt:
	case DW_OP_ge: push(m, compare(m, op, a, b)); break;
	default: fail(m, CP_EVAL_BAD); break;
	}
}

static void
step(struct machine *m)
{
	uint8_t op = cp_bytes_u8(&m->b);
	uint64_t reg;

	if (op >= DW_OP_lit0 && op <= DW_OP_lit31) {
		push(m, op - DW_OP_lit0);
	} else if (op >= DW_OP_breg0 && op <= DW_OP_breg31) {
		push_register(m, op - DW_OP_breg0, cp_bytes_sleb(&m->b));
	} else if (op == DW_OP_bregx) {
		reg = cp_bytes_uleb(&m->b);
		push_register(m, reg, cp_bytes_sleb(&m->b));
	} else if (op == DW_OP_call_frame_cfa) {
		if (m->e->cfa != NULL)
			push(m, *m->e->cfa);
		else
			fail(m, CP_EVAL_BAD);
	} else if (!constant(m, op) && !movement(m, op) && !unary(m, op)) {
		binary(m, op);
	}
	if (m->b.failed)
		fail(m, CP_EVAL_BAD);
}

enum cp_eval
cp_expr_value(struct cp_expr *e, const struct cp_cfi_rule *r, uint32_t *steps,
    uint64_t *out)
{
	struct machine m;

	m.e = e;
	m.start = r->u.expression;
	m.b = cp_bytes_of(m.start, r->size, e->swap);
	m.n = 0;
	m.status = CP_EVAL_OK;
	if (e->cfa != NULL)
		push(&m, *e->cfa);
	while (m.status == CP_EVAL_OK && m.b.at < m.b.end) {
		if (*steps == 0)
			return CP_EVAL_LIMIT;
		--*steps;
		step(&m);
	}
	*out = pop(&m);
	return m.status;
}
