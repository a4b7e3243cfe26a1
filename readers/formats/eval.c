/* SPDX-License-Identifier: MIT */
/*
 * eval: runs the code of an expression over a payload.
 *
 * Numbers have 64 bits throughout, as perf calculates them.  An array or a text
 * is a place in the payload, which was checked when it was pushed.
 */
#include "readers/formats/machine.h"

/* ----------------------------------------------------------------- arrays */

static void
push_dynamic(struct cp_machine *m, const struct cp_instr *in)
{
	uint64_t loc, at, n;
	struct cp_value *x = cp_machine_push(m);

	if (!cp_machine_load(m->v, in->at, 4, false, &loc)) {
		m->failed = true;
		return;
	}
	at = loc & 0xffff;
	n = loc >> 16;
	if (in->is_signed) /* relative to the end of the field */
		at += (uint64_t)in->at + 4;
	if (in->op == CP_OP_DYNAMIC_LEN) {
		x->number = n;
		return;
	}
	if (!cp_machine_inside(m->v, at, n)) {
		m->failed = true;
		return;
	}
	*x = (struct cp_value){ .kind = CP_VALUE_RAW,
		.at = (uint32_t)at,
		.len = (uint32_t)n,
		.element = in->size };
}

static void
push_bytes(struct cp_machine *m, const struct cp_instr *in)
{
	struct cp_value *x = cp_machine_push(m);
	/* An array without a size is the rest of the payload. */
	uint64_t n = in->number != 0       ? in->number
		     : m->v->size > in->at ? m->v->size - in->at
					   : 0;

	if (!cp_machine_inside(m->v, in->at, n)) {
		m->failed = true;
		return;
	}
	*x = (struct cp_value){ .kind = CP_VALUE_RAW,
		.at = in->at,
		.len = (uint32_t)n,
		.element = in->size };
}

static void
load_element(struct cp_machine *m, struct cp_value *array, uint64_t i)
{
	uint64_t x = 0, at = i * array->element;

	if (array->kind != CP_VALUE_RAW || array->element == 0 ||
	    i > UINT32_MAX || at + array->element > array->len ||
	    !cp_machine_load(m->v, array->at + at, array->element, false, &x))
		m->failed = true;
	*array = (struct cp_value){ .number = x };
}

/* -------------------------------------------------------------- operators */

static uint64_t
divide(uint64_t a, uint64_t b, bool is_unsigned, bool rest)
{
	if (b == 0)
		return 0;
	if (is_unsigned)
		return rest ? a % b : a / b;
	if (b == UINT64_MAX)
		return rest ? 0 : 0 - a;
	return (
	    uint64_t)(rest ? (int64_t)a % (int64_t)b : (int64_t)a / (int64_t)b);
}

static bool
is_less(uint64_t a, uint64_t b, bool is_unsigned)
{
	return is_unsigned ? a < b : (int64_t)a < (int64_t)b;
}

static uint64_t
calculate(unsigned op, uint64_t a, uint64_t b, bool is_unsigned)
{
	switch (op) {
	case CP_BIN_MUL: return a * b;
	case CP_BIN_DIV: return divide(a, b, is_unsigned, false);
	case CP_BIN_MOD: return divide(a, b, is_unsigned, true);
	case CP_BIN_ADD: return a + b;
	case CP_BIN_SUB: return a - b;
	case CP_BIN_SHL: return b < 64 ? a << b : 0;
	case CP_BIN_SHR: return b < 64 ? a >> b : 0;
	case CP_BIN_LT: return is_less(a, b, is_unsigned);
	case CP_BIN_GT: return is_less(b, a, is_unsigned);
	case CP_BIN_LE: return !is_less(b, a, is_unsigned);
	case CP_BIN_GE: return !is_less(a, b, is_unsigned);
	case CP_BIN_EQ: return a == b;
	case CP_BIN_NE: return a != b;
	case CP_BIN_AND: return a & b;
	case CP_BIN_XOR: return a ^ b;
	case CP_BIN_OR: return a | b;
	case CP_BIN_ANDAND: return a != 0 && b != 0;
	default: return a != 0 || b != 0;
	}
}

static void
binary(struct cp_machine *m, const struct cp_instr *in)
{
	struct cp_value *b = cp_machine_top(m, 0), *a = cp_machine_top(m, 1);
	bool is_unsigned;
	uint64_t n;

	if (m->failed)
		return;
	n = cp_value_number(b, m->v);
	is_unsigned = b->is_unsigned;
	m->depth--;
	if (a->kind == CP_VALUE_RAW && in->size == CP_BIN_ADD) {
		n = a->element > 1 && n <= UINT32_MAX ? n * a->element : n;
		if (n > a->len) {
			m->failed = true;
			return;
		}
		a->at += (uint32_t)n;
		a->len -= (uint32_t)n;
		return;
	}
	is_unsigned |= a->is_unsigned;
	n = calculate(in->size, cp_value_number(a, m->v), n, is_unsigned);
	*a = (struct cp_value){
		.number = n,
		/* A comparison is an int. */
		.is_unsigned = is_unsigned && !(in->size >= CP_BIN_LT &&
						  in->size <= CP_BIN_NE),
	};
}

static void
unary(struct cp_machine *m, const struct cp_instr *in)
{
	struct cp_value *x = cp_machine_top(m, 0);
	bool is_unsigned = x->is_unsigned;
	uint64_t v;

	if (m->failed)
		return;
	if (in->op == CP_OP_POINTER) {
		x->element = in->size;
		return;
	}
	if (in->op == CP_OP_LOAD) {
		load_element(m, x, 0);
		return;
	}
	v = cp_value_number(x, m->v);
	switch (in->op) {
	case CP_OP_CAST:
		/* A text stays one. */
		if (x->kind != CP_VALUE_NUMBER && in->size == 0)
			return;
		v = cp_machine_resize(v, in->size, in->is_signed);
		is_unsigned = in->size == 8 && !in->is_signed;
		break;
	case CP_OP_NEGATIVE: v = 0 - v; break;
	case CP_OP_NOT:
		v = v == 0;
		is_unsigned = false;
		break;
	default: v = ~v; break;
	}
	*x = (struct cp_value){ .number = v, .is_unsigned = is_unsigned };
}

/* Returns how many instructions to go forward. */
static size_t
step(struct cp_machine *m, const struct cp_instr *in)
{
	struct cp_value *x;
	uint64_t v;

	switch (in->op) {
	case CP_OP_NUMBER: cp_machine_push(m)->number = in->number; break;
	case CP_OP_TEXT:
		*cp_machine_push(m) = (struct cp_value){
			.kind = CP_VALUE_CONST, .text = in->text, .len = in->at
		};
		break;
	case CP_OP_FIELD:
		x = cp_machine_push(m);
		x->is_unsigned = in->size == 8 && !in->is_signed;
		m->failed |= !cp_machine_load(
		    m->v, in->at, in->size, in->is_signed, &x->number);
		break;
	case CP_OP_BYTES: push_bytes(m, in); break;
	case CP_OP_DYNAMIC:
	case CP_OP_DYNAMIC_LEN: push_dynamic(m, in); break;
	case CP_OP_INDEX:
		x = cp_machine_top(m, 1);
		v = cp_value_number(cp_machine_top(m, 0), m->v);
		if (!m->failed) {
			m->depth--;
			load_element(m, x, v);
		}
		break;
	case CP_OP_JUMP: return in->at;
	case CP_OP_JUMP_ZERO:
		v = cp_value_number(cp_machine_top(m, 0), m->v);
		if (!m->failed)
			m->depth--;
		return v == 0 ? in->at : 1;
	case CP_OP_BINARY: binary(m, in); break;
	case CP_OP_FIRST:
		(void)cp_machine_top(m, 1);
		if (!m->failed)
			m->depth--;
		break;
	case CP_OP_CAST:
	case CP_OP_POINTER:
	case CP_OP_LOAD:
	case CP_OP_NEGATIVE:
	case CP_OP_NOT:
	case CP_OP_INVERT: unary(m, in); break;
	default: cp_machine_helper(m, in); break;
	}
	return 1;
}

bool
cp_expr_eval(const struct cp_instr *code, size_t n, struct cp_payload_view *v,
    struct cp_value *out)
{
	struct cp_machine m;

	/* Most expressions are a field. */
	if (n == 1 && code->op == CP_OP_FIELD) {
		*out = (struct cp_value){ 0 };
		return cp_machine_load(
		    v, code->at, code->size, code->is_signed, &out->number);
	}
	m.v = v;
	m.stack[0] = (struct cp_value){ 0 };
	m.depth = 0;
	m.failed = false;
	for (size_t i = 0; i < n && !m.failed;) {
		size_t by = step(&m, &code[i]);

		if (by == 0)
			return false;
		i += by;
	}
	if (m.failed || m.depth != 1)
		return false;
	*out = m.stack[0];
	return true;
}
