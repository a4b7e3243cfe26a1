/* SPDX-License-Identifier: MIT */
/*
 * schedstates: letters of task states from sched_switch's print format.
 *
 * Looks for the list { BIT, "LETTER" } ... of __print_flags(REC->prev_state
 * and for the constant in `REC->prev_state & CONSTANT ? "+"'.  Understands
 * constants made of numbers, parentheses and | + - <<; anything else there
 * leaves the default.
 */
#include "run/facts/facts.h"

#include <stdlib.h>
#include <string.h>

/* Linux 4.14 and later. */
static const struct cp_sched_states usual = {
	.mask = 0xff,
	.preempted = 0x100,
	.letter = { 'S', 'D', 'T', 't', 'X', 'Z', 'P', 'I' },
};

static const char *
skip_blanks(const char *s)
{
	return s + strspn(s, " \t\n");
}

/* ------------------------------------------------------------- constants */

enum { DEPTH = 16 };

/* Stacks of pending values and operators; '(' is among the operators. */
struct stack {
	uint64_t value[DEPTH];
	char op[DEPTH];
	int values, ops;
};

static int
binds(char op)
{
	return op == '|' ? 1 : op == '<' ? 2 : op == '(' ? 0 : 3;
}

static bool
reduce(struct stack *k)
{
	uint64_t a, b;

	if (k->values < 2)
		return false;
	b = k->value[--k->values];
	a = k->value[k->values - 1];
	switch (k->op[--k->ops]) {
	case '|': a |= b; break;
	case '+': a += b; break;
	case '-': a -= b; break;
	case '<': a = b < 64 ? a << b : 0; break;
	default: return false;
	}
	k->value[k->values - 1] = a;
	return true;
}

static bool
take_operator(struct stack *k, char op)
{
	while (k->ops != 0 && k->op[k->ops - 1] != '(' &&
	       binds(k->op[k->ops - 1]) >= binds(op))
		if (!reduce(k))
			return false;
	if (k->ops == DEPTH)
		return false;
	k->op[k->ops++] = op;
	return true;
}

static bool
close_group(struct stack *k)
{
	while (k->ops != 0 && k->op[k->ops - 1] != '(')
		if (!reduce(k))
			return false;
	return k->ops-- != 0;
}

/* Reads a number, operator or parenthesis; NULL: it is none of these. */
static const char *
take_token(struct stack *k, const char *s)
{
	char *end;

	if (*s >= '0' && *s <= '9') {
		if (k->values == DEPTH)
			return NULL;
		k->value[k->values++] = strtoull(s, &end, 0);
		return end;
	}
	if (*s == '(') {
		if (k->ops == DEPTH)
			return NULL;
		k->op[k->ops++] = '(';
		return s + 1;
	}
	if (*s == ')')
		return close_group(k) ? s + 1 : NULL;
	if (s[0] == '<' && s[1] == '<')
		return take_operator(k, '<') ? s + 2 : NULL;
	if (*s == '|' || *s == '+' || *s == '-')
		return take_operator(k, *s) ? s + 1 : NULL;
	return NULL;
}

/* Evaluates a constant that ends at a question mark. */
static bool
constant(const char *s, uint64_t *out)
{
	struct stack k = { .values = 0 };

	for (s = skip_blanks(s); s != NULL && *s != '?';) {
		s = take_token(&k, s);
		if (s != NULL)
			s = skip_blanks(s);
	}
	if (s == NULL)
		return false;
	while (k.ops != 0)
		if (!reduce(&k))
			return false;
	*out = k.value[0];
	return k.values == 1;
}

/* --------------------------------------------------------------- formats */

static void
parse_letters(struct cp_sched_states *st, const char *s)
{
	char *end;

	for (;;) {
		uint64_t value;

		s = skip_blanks(s + strcspn(s, "{)"));
		if (*s != '{')
			return;
		value = strtoull(s + 1, &end, 0);
		s = skip_blanks(end);
		if (*s != ',')
			return;
		s = skip_blanks(s + 1);
		if (*s != '"' || s[1] == '\0' || value == 0 ||
		    (value & (value - 1)) != 0 || value >> CP_SCHED_STATES != 0)
			return;
		st->letter[__builtin_ctzll(value)] = s[1];
		st->mask |= value;
		s += strcspn(s, "}");
	}
}

/* Finds the constant whose test prints the plus sign. */
static bool
parse_preempted(struct cp_sched_states *st, const char *format)
{
	static const char field[] = "REC->prev_state &";
	const char *plus = strstr(format, "? \"+\""), *s = format, *at = NULL;

	if (plus == NULL)
		return false;
	while ((s = strstr(s, field)) != NULL && s < plus)
		at = s += sizeof(field) - 1;
	return at != NULL && constant(at, &st->preempted);
}

void
cp_sched_states_parse(struct cp_sched_states *st, const char *format)
{
	static const char list[] = "__print_flags(REC->prev_state";
	const char *s = strstr(format, list);

	*st = usual;
	if (s == NULL)
		return;
	/* The list follows the separator's text. */
	s += sizeof(list) - 1;
	s += strcspn(s, "{");
	*st = (struct cp_sched_states){ .mask = 0 };
	parse_letters(st, s);
	if (st->mask == 0)
		*st = usual;
	else if (!parse_preempted(st, format))
		st->preempted = 0;
}
