/* SPDX-License-Identifier: MIT */
/*
 * operands: numbers, texts, fields, helpers, casts and signs before them.
 */
#include "readers/formats/compiler.h"

#include "base/base.h"

/* Helpers whose argument is the name of a field. */
enum field_helper { GET_STR, GET_ARRAY, GET_LEN, GET_BITMASK, GET_SOCKADDR };
static const struct {
	const char *name;
	uint8_t helper;
} field_helpers[] = { { "__get_str", GET_STR }, { "__get_rel_str", GET_STR },
	{ "__get_dynamic_array", GET_ARRAY },
	{ "__get_rel_dynamic_array", GET_ARRAY },
	{ "__get_dynamic_array_len", GET_LEN },
	{ "__get_rel_dynamic_array_len", GET_LEN },
	{ "__get_bitmask", GET_BITMASK }, { "__get_rel_bitmask", GET_BITMASK },
	{ "__get_cpumask", GET_BITMASK }, { "__get_rel_cpumask", GET_BITMASK },
	{ "__get_sockaddr", GET_SOCKADDR },
	{ "__get_rel_sockaddr", GET_SOCKADDR } };

static const struct {
	const char *name;
	uint8_t op, size, args;
} helpers[] = { { "__print_flags", CP_OP_FLAGS, 0, 1 },
	{ "__print_flags_u64", CP_OP_FLAGS, 0, 1 },
	{ "__print_symbolic", CP_OP_SYMBOLIC, 0, 1 },
	{ "__print_symbolic_u64", CP_OP_SYMBOLIC, 0, 1 },
	{ "__print_hex", CP_OP_HEX, 1, 2 },
	{ "__print_hex_str", CP_OP_HEX, 0, 2 },
	{ "__print_array", CP_OP_NUMBERS, 0, 3 },
	{ "__builtin_expect", CP_OP_FIRST, 0, 2 } };

void
cp_compiler_emit(struct cp_compiler *c, struct cp_instr in)
{
	if (c->code->len >= CP_EXPR_CODE)
		c->failed = true;
	else
		*cp_vec_push(c->code) = in;
}

struct cp_pending *
cp_compiler_push(struct cp_compiler *c, struct cp_pending p)
{
	static struct cp_pending none;

	if (c->depth == CP_EXPR_DEPTH) {
		c->failed = true;
		none = p;
		return &none;
	}
	c->pending[c->depth] = p;
	return &c->pending[c->depth++];
}

struct cp_token
cp_compiler_next(struct cp_compiler *c)
{
	return cp_token_next(&c->src->at);
}

struct cp_token
cp_compiler_peek(const struct cp_compiler *c)
{
	const char *at = c->src->at;

	return cp_token_next(&at);
}

bool
cp_token_is_sign(const struct cp_token *t, const char *sign)
{
	return t->kind == CP_TOKEN_SIGN && t->len == strlen(sign) &&
	       memcmp(t->text, sign, t->len) == 0;
}

void
cp_compiler_expect(struct cp_compiler *c, const char *sign)
{
	struct cp_token t = cp_compiler_next(c);

	c->failed |= !cp_token_is_sign(&t, sign);
}

/* ----------------------------------------------------------------- fields */

/* The size of an element of an array, by its type. */
static uint8_t
element_of(const struct cp_compiler *c, const struct cp_tp_field *f)
{
	const char *type = f->type;
	struct cp_c_type y;
	char word[64];
	size_t n;

	if (strncmp(type, "__data_loc ", 11) == 0)
		type += 11;
	else if (strncmp(type, "__rel_loc ", 10) == 0)
		type += 10;
	n = strcspn(type, "[");
	if (n == 0 || n >= sizeof(word))
		return 0;
	memcpy(word, type, n);
	word[n] = '\0';
	type = word;
	if (!cp_c_type_read(&type, c->src->long_size, &y))
		return 0;
	return y.pointer ? c->src->long_size : y.size;
}

static const struct cp_tp_field *
field_named(const struct cp_compiler *c, const struct cp_token *t)
{
	const struct cp_tp_event *e = c->src->event;

	for (uint32_t i = 0; t->kind == CP_TOKEN_WORD && i < e->n_fields; i++)
		if (strlen(e->fields[i].name) == t->len &&
		    memcmp(e->fields[i].name, t->text, t->len) == 0)
			return &e->fields[i];
	return NULL;
}

static bool
is_dynamic(const struct cp_tp_field *f)
{
	return f->kind == CP_TP_DATA_LOC || f->kind == CP_TP_REL_LOC;
}

static void
emit_dynamic(struct cp_compiler *c, const struct cp_tp_field *f, bool length)
{
	if (f->size != 4) {
		c->failed = true;
		return;
	}
	cp_compiler_emit(c,
	    (struct cp_instr){ .op = length ? CP_OP_DYNAMIC_LEN : CP_OP_DYNAMIC,
		.size = element_of(c, f),
		.is_signed = f->kind == CP_TP_REL_LOC,
		.at = f->offset });
}

static void
emit_field(struct cp_compiler *c, const struct cp_tp_field *f)
{
	if (f == NULL) {
		c->failed = true;
	} else if (is_dynamic(f)) {
		emit_dynamic(c, f, false);
	} else if (f->kind == CP_TP_SCALAR) {
		cp_compiler_emit(c, (struct cp_instr){ .op = CP_OP_FIELD,
					.size = (uint8_t)f->size,
					.is_signed = f->is_signed,
					.at = f->offset });
	} else {
		cp_compiler_emit(c, (struct cp_instr){ .op = CP_OP_BYTES,
					.size = element_of(c, f),
					.at = f->offset,
					.number = f->size });
	}
}

static void
read_field_helper(struct cp_compiler *c, uint8_t helper)
{
	const struct cp_tp_field *f;
	struct cp_token t;

	cp_compiler_expect(c, "(");
	t = cp_compiler_next(c);
	f = field_named(c, &t);
	cp_compiler_expect(c, ")");
	if (f == NULL || c->failed) {
		c->failed = true;
		return;
	}
	if (helper == GET_LEN && is_dynamic(f)) {
		emit_dynamic(c, f, true);
		return;
	}
	emit_field(c, f);
	if (helper == GET_BITMASK)
		cp_compiler_emit(c, (struct cp_instr){ .op = CP_OP_BITMASK });
	else if (helper == GET_SOCKADDR)
		cp_compiler_emit(c, (struct cp_instr){ .op = CP_OP_SOCKADDR });
}

/* --------------------------------------------------------------- operands */

static void
read_sizeof(struct cp_compiler *c)
{
	const struct cp_tp_field *f = NULL;
	struct cp_token t;
	struct cp_c_type y = { 0 };

	cp_compiler_expect(c, "(");
	t = cp_compiler_peek(c);
	if (cp_token_is(&t, "REC")) {
		(void)cp_compiler_next(c);
		cp_compiler_expect(c, "->");
		t = cp_compiler_next(c);
		f = field_named(c, &t);
		c->failed |= f == NULL;
	} else if (!cp_c_type_read(&c->src->at, c->src->long_size, &y)) {
		c->failed = true;
	}
	cp_compiler_expect(c, ")");
	if (y.pointer)
		y.size = c->src->long_size;
	if (f == NULL && y.size == 0)
		c->failed = true;
	cp_compiler_emit(c, (struct cp_instr){ .op = CP_OP_NUMBER,
				.number = f != NULL ? f->size : y.size });
}

/* Reads a word where an operand must be; returns whether it is complete. */
static bool
read_word(struct cp_compiler *c, const struct cp_token *t)
{
	struct cp_token n;

	if (cp_token_is(t, "REC")) {
		cp_compiler_expect(c, "->");
		n = cp_compiler_next(c);
		emit_field(c, field_named(c, &n));
		return true;
	}
	if (cp_token_is(t, "sizeof")) {
		read_sizeof(c);
		return true;
	}
	for (size_t i = 0; i < CP_ARRAY_LEN(field_helpers); i++)
		if (cp_token_is(t, field_helpers[i].name)) {
			read_field_helper(c, field_helpers[i].helper);
			return true;
		}
	for (size_t i = 0; i < CP_ARRAY_LEN(helpers); i++)
		if (cp_token_is(t, helpers[i].name)) {
			cp_compiler_expect(c, "(");
			cp_compiler_push(
			    c, (struct cp_pending){ .kind = CP_PENDING_CALL,
				   .instr = { .op = helpers[i].op,
				       .size = helpers[i].size },
				   .at = helpers[i].args,
				   .first = (uint32_t)c->names.len });
			return false;
		}
	n = cp_compiler_peek(c);
	c->unknown |= !cp_token_is(t, "true") && !cp_token_is(t, "false") &&
		      !cp_token_is(t, "NULL");
	c->failed |= cp_token_is_sign(&n, "(");
	cp_compiler_emit(c, (struct cp_instr){ .op = CP_OP_NUMBER,
				.number = cp_token_is(t, "true") });
	return true;
}

/* Reads "(TYPE)" at a bracket; false: it is none. */
static bool
read_cast(struct cp_compiler *c)
{
	const char *at = c->src->at;
	struct cp_token after;
	struct cp_c_type y;

	if (!cp_c_type_read(&at, c->src->long_size, &y))
		return false;
	after = cp_token_next(&at);
	if (!cp_token_is_sign(&after, ")"))
		return false;
	if (!y.known && !y.pointer) {
		const char *p = at;

		after = cp_token_next(&p);
		if (after.kind != CP_TOKEN_NUMBER &&
		    after.kind != CP_TOKEN_WORD &&
		    !cp_token_is_sign(&after, "("))
			return false;
	}
	c->src->at = at;
	cp_compiler_push(
	    c, (struct cp_pending){ .kind = CP_PENDING_UNARY,
		   .precedence = CP_PENDING_UNARY_BINDS,
		   .instr = { .op = y.pointer ? CP_OP_POINTER : CP_OP_CAST,
		       .size = y.size,
		       .is_signed = y.is_signed } });
	return true;
}

/* Reads a sign where an operand must be. */
static void
read_prefix(struct cp_compiler *c, const struct cp_token *t)
{
	static const struct {
		char sign;
		uint8_t op;
	} unary[] = { { '-', CP_OP_NEGATIVE }, { '!', CP_OP_NOT },
		{ '~', CP_OP_INVERT }, { '*', CP_OP_LOAD } };
	struct cp_pending *top =
	    c->depth != 0 ? &c->pending[c->depth - 1] : NULL;

	for (size_t i = 0; i < CP_ARRAY_LEN(unary); i++)
		if (t->number == (unsigned char)unary[i].sign) {
			cp_compiler_push(
			    c, (struct cp_pending){ .kind = CP_PENDING_UNARY,
				   .precedence = CP_PENDING_UNARY_BINDS,
				   .instr = { .op = unary[i].op } });
			return;
		}
	if (t->number == '+' || t->number == '&')
		return;
	if (t->number == '(') {
		if (!read_cast(c))
			cp_compiler_push(c,
			    (struct cp_pending){ .kind = CP_PENDING_BRACKET });
	} else if (t->number == '{' && top != NULL &&
		   top->kind == CP_PENDING_CALL && top->at == 1 &&
		   top->args != 0) {
		c->unknown = false;
		cp_compiler_push(
		    c, (struct cp_pending){ .kind = CP_PENDING_BRACE,
			   .at = (uint32_t)c->code->len });
	} else {
		c->failed = true;
	}
}

/* Returns whether the operand is complete. */
bool
cp_compiler_operand(struct cp_compiler *c)
{
	struct cp_token t = cp_compiler_next(c);
	uint32_t n;
	const char *text;

	switch (t.kind) {
	case CP_TOKEN_NUMBER:
		cp_compiler_emit(c, (struct cp_instr){ .op = CP_OP_NUMBER,
					.number = t.number });
		return true;
	case CP_TOKEN_STRING:
		text = cp_token_string(&t, &c->src->at, c->src->arena, &n);
		cp_compiler_emit(
		    c, (struct cp_instr){
			   .op = CP_OP_TEXT, .at = n, .text = text });
		return true;
	case CP_TOKEN_WORD: return read_word(c, &t);
	case CP_TOKEN_SIGN: read_prefix(c, &t); return false;
	default: c->failed = true; return true;
	}
}
