/* SPDX-License-Identifier: MIT */
/*
 * compile: an expression of a print format to code.
 *
 * Operators wait on a stack until one that binds less, or a bracket's end,
 * comes (Dijkstra's shunting yard); so nothing recurs.  A call of a helper and
 * the braces in its list are kinds of bracket.
 */
#include "readers/formats/compiler.h"

#include "base/base.h"

static const struct {
	char sign[3];
	uint8_t binary, precedence;
} binaries[] = { { "*", CP_BIN_MUL, 11 }, { "/", CP_BIN_DIV, 11 },
	{ "%", CP_BIN_MOD, 11 }, { "+", CP_BIN_ADD, 10 },
	{ "-", CP_BIN_SUB, 10 }, { "<<", CP_BIN_SHL, 9 },
	{ ">>", CP_BIN_SHR, 9 }, { "<", CP_BIN_LT, 8 }, { ">", CP_BIN_GT, 8 },
	{ "<=", CP_BIN_LE, 8 }, { ">=", CP_BIN_GE, 8 }, { "==", CP_BIN_EQ, 7 },
	{ "!=", CP_BIN_NE, 7 }, { "&", CP_BIN_AND, 6 }, { "^", CP_BIN_XOR, 5 },
	{ "|", CP_BIN_OR, 4 }, { "&&", CP_BIN_ANDAND, 3 },
	{ "||", CP_BIN_OROR, 2 } };

/* Emits the operators that bind more than `precedence', up to a bracket. */
static void
pop_above(struct cp_compiler *c, uint8_t precedence)
{
	while (c->depth != 0 && !c->failed) {
		struct cp_pending *p = &c->pending[c->depth - 1];

		if (p->kind < CP_PENDING_BINARY ||
		    p->kind == CP_PENDING_QUESTION ||
		    p->precedence <= precedence)
			return;
		if (p->kind == CP_PENDING_COLON)
			c->code->data[p->at].at =
			    (uint32_t)c->code->len - p->at;
		else
			cp_compiler_emit(c, p->instr);
		c->depth--;
	}
}

/* -------------------------------------------------------------- operators */

/* Steps over what is no string, as ((void *)0) at the end of a list. */
static void
skip_name(struct cp_compiler *c)
{
	struct cp_token t;

	do {
		t = cp_compiler_next(c);
	} while (!cp_token_is_sign(&t, "}") && t.kind != CP_TOKEN_END &&
		 t.kind != CP_TOKEN_BAD);
	c->failed |= !cp_token_is_sign(&t, "}");
}

/*
 * A name of a helper: its value was compiled, and is run now.  A name whose
 * value is not known never stands for one.
 */
static void
read_name(struct cp_compiler *c, struct cp_pending brace)
{
	struct cp_payload_view none = { .size = 0 };
	struct cp_token t = cp_compiler_next(c);
	struct cp_value v;
	struct cp_name name;

	c->depth--;
	if (c->failed ||
	    c->names.len - c->pending[c->depth - 1].first >= CP_EXPR_NAMES ||
	    !cp_expr_eval(
		c->code->data + brace.at, c->code->len - brace.at, &none, &v) ||
	    v.kind != CP_VALUE_NUMBER) {
		c->failed = true;
		return;
	}
	c->code->len = brace.at;
	if (t.kind != CP_TOKEN_STRING) {
		skip_name(c);
		return;
	}
	name.text = cp_token_string(&t, &c->src->at, c->src->arena, &name.len);
	name.value = v.number;
	if (!c->unknown)
		*cp_vec_push(&c->names) = name;
	c->unknown = false;
	cp_compiler_expect(c, "}");
}

/* After the comma of a call: the delimiter of flags. */
static void
read_delimiter(struct cp_compiler *c, struct cp_pending *call)
{
	struct cp_token t = cp_compiler_next(c);
	uint32_t n;

	if (t.kind != CP_TOKEN_STRING) {
		c->failed = true;
		return;
	}
	call->delim = cp_token_string(&t, &c->src->at, c->src->arena, &n);
	t = cp_compiler_next(c);
	c->failed |= !cp_token_is_sign(&t, ",");
}

static void
close_call(struct cp_compiler *c, struct cp_pending *call)
{
	struct cp_instr in = call->instr;
	size_t n = c->names.len - call->first;
	struct cp_names *names;
	struct cp_name *all;

	call->args++;
	if (in.op == CP_OP_FLAGS || in.op == CP_OP_SYMBOLIC) {
		names = cp_arena_alloc(c->src->arena, sizeof(*names));
		all = cp_arena_alloc(c->src->arena, (n + 1) * sizeof(*all));
		if (n != 0)
			memcpy(
			    all, c->names.data + call->first, n * sizeof(*all));
		*names = (struct cp_names){
			.delim = call->delim, .n = (uint32_t)n, .all = all
		};
		in.names = names;
		c->names.len = call->first;
	} else {
		c->failed |= call->args != call->at;
	}
	cp_compiler_emit(c, in);
}

/* Returns false at the comma that ends the expression. */
static bool
read_comma(struct cp_compiler *c, bool *operand)
{
	struct cp_pending *p;

	pop_above(c, 0);
	if (c->depth == 0)
		return false;
	p = &c->pending[c->depth - 1];
	*operand = true;
	if (p->kind == CP_PENDING_BRACE) {
		read_name(c, *p);
		*operand = false;
	} else if (p->kind == CP_PENDING_CALL) {
		if (p->args++ == 0 && p->instr.op == CP_OP_FLAGS)
			read_delimiter(c, p);
		if (p->instr.op == CP_OP_FLAGS ||
		    p->instr.op == CP_OP_SYMBOLIC) {
			struct cp_token t = cp_compiler_peek(c);

			c->failed |= !cp_token_is_sign(&t, "{");
		}
	} else {
		c->failed = true;
	}
	return true;
}

static void
read_close(struct cp_compiler *c, enum cp_pending_kind kind)
{
	struct cp_pending *p;

	pop_above(c, 0);
	if (c->depth == 0) {
		c->failed = true;
		return;
	}
	p = &c->pending[c->depth - 1];
	if (p->kind == CP_PENDING_INDEX && kind == CP_PENDING_INDEX)
		cp_compiler_emit(c, (struct cp_instr){ .op = CP_OP_INDEX });
	else if (p->kind == CP_PENDING_CALL && kind == CP_PENDING_BRACKET)
		close_call(c, p);
	else
		c->failed |= p->kind != kind;
	c->depth--;
}

static void
read_colon(struct cp_compiler *c)
{
	struct cp_pending *p;

	pop_above(c, 0);
	if (c->depth == 0 ||
	    c->pending[c->depth - 1].kind != CP_PENDING_QUESTION) {
		c->failed = true;
		return;
	}
	p = &c->pending[c->depth - 1];
	cp_compiler_emit(c, (struct cp_instr){ .op = CP_OP_JUMP });
	if (c->failed)
		return;
	c->code->data[p->at].at = (uint32_t)c->code->len - p->at;
	*p = (struct cp_pending){ .kind = CP_PENDING_COLON,
		.precedence = CP_PENDING_TERNARY_BINDS,
		.at = (uint32_t)c->code->len - 1 };
}

/* Reads what may follow an operand; returns whether an operand must follow. */
static bool
read_operator(struct cp_compiler *c, const struct cp_token *t)
{
	if (cp_token_is_sign(t, ")")) {
		read_close(c, CP_PENDING_BRACKET);
		return false;
	}
	if (cp_token_is_sign(t, "]")) {
		read_close(c, CP_PENDING_INDEX);
		return false;
	}
	if (cp_token_is_sign(t, "[")) {
		cp_compiler_push(
		    c, (struct cp_pending){ .kind = CP_PENDING_INDEX });
	} else if (cp_token_is_sign(t, "?")) {
		pop_above(c, CP_PENDING_TERNARY_BINDS);
		cp_compiler_push(
		    c, (struct cp_pending){ .kind = CP_PENDING_QUESTION,
			   .at = (uint32_t)c->code->len });
		cp_compiler_emit(c, (struct cp_instr){ .op = CP_OP_JUMP_ZERO });
	} else if (cp_token_is_sign(t, ":")) {
		read_colon(c);
	} else {
		for (size_t i = 0; i < CP_ARRAY_LEN(binaries); i++)
			if (cp_token_is_sign(t, binaries[i].sign)) {
				pop_above(
				    c, (uint8_t)(binaries[i].precedence - 1));
				cp_compiler_push(
				    c, (struct cp_pending){
					   .kind = CP_PENDING_BINARY,
					   .precedence = binaries[i].precedence,
					   .instr = { .op = CP_OP_BINARY,
					       .size = binaries[i].binary } });
				return true;
			}
		c->failed = true;
	}
	return true;
}

bool
cp_expr_compile(struct cp_expr_source *src, cp_instrs *code)
{
	struct cp_compiler *c = cp_xcalloc(1, sizeof(*c));
	bool operand = true, ok;

	c->src = src;
	c->code = code;
	for (bool more = true; more && !c->failed;) {
		struct cp_token t;

		if (operand) {
			operand = !cp_compiler_operand(c);
			continue;
		}
		t = cp_compiler_peek(c);
		if (t.kind == CP_TOKEN_END)
			break;
		if (cp_token_is_sign(&t, ",")) {
			const char *at = src->at;

			(void)cp_compiler_next(c);
			more = read_comma(c, &operand);
			if (!more)
				src->at = at;
			continue;
		}
		(void)cp_compiler_next(c);
		operand = read_operator(c, &t);
	}
	pop_above(c, 0);
	ok = !c->failed && !operand && c->depth == 0;
	cp_vec_free(&c->names);
	free(c);
	return ok;
}
