/* SPDX-License-Identifier: MIT */
/*
 * helpers: numbers and bytes of values, and the functions of print formats that
 * make texts of them.
 */
#include "readers/formats/machine.h"

uint64_t
cp_value_number(const struct cp_value *v, const struct cp_payload_view *view)
{
	uint64_t x;

	if (v->kind == CP_VALUE_NUMBER)
		return v->number;
	if (v->kind == CP_VALUE_RAW &&
	    cp_machine_load(view, v->at, v->len, false, &x))
		return x;
	return 0;
}

const char *
cp_value_bytes(
    const struct cp_value *v, const struct cp_payload_view *view, size_t *len)
{
	*len = v->kind != CP_VALUE_NUMBER ? v->len : 0;
	if (*len == 0)
		return "";
	switch (v->kind) {
	case CP_VALUE_RAW: return (const char *)view->raw + v->at;
	case CP_VALUE_MADE: return view->made->data + v->at;
	default: return v->text;
	}
}

static struct cp_value
made_since(const struct cp_payload_view *v, size_t from)
{
	return (struct cp_value){ .kind = CP_VALUE_MADE,
		.at = (uint32_t)from,
		.len = (uint32_t)(v->made->len - from) };
}

static void
put_number(struct cp_buf *b, uint64_t x)
{
	cp_buf_add(b, "0x", 2);
	cp_buf_hex(b, x);
}

static void
name_flags(struct cp_machine *m, const struct cp_names *names)
{
	struct cp_value *x = cp_machine_top(m, 0);
	uint64_t v = cp_value_number(x, m->v);
	struct cp_buf *b = m->v->made;
	size_t from = b->len;
	const char *delim = names->delim != NULL ? names->delim : "";

	for (uint32_t i = 0; i < names->n; i++) {
		const struct cp_name *n = &names->all[i];

		if (v == 0 && (int64_t)n->value < 0) {
			cp_buf_add(b, n->text, n->len);
			break;
		}
		if ((int64_t)n->value <= 0 || (v & n->value) != n->value)
			continue;
		if (b->len != from)
			cp_buf_str(b, delim);
		cp_buf_add(b, n->text, n->len);
		v &= ~n->value;
	}
	if (v != 0) {
		if (b->len != from)
			cp_buf_str(b, delim);
		put_number(b, v);
	}
	*x = made_since(m->v, from);
}

static void
name_symbol(struct cp_machine *m, const struct cp_names *names)
{
	struct cp_value *x = cp_machine_top(m, 0);
	uint64_t v = cp_value_number(x, m->v);
	size_t from = m->v->made->len;

	for (uint32_t i = 0; i < names->n; i++)
		if (names->all[i].value == v) {
			*x = (struct cp_value){ .kind = CP_VALUE_CONST,
				.text = names->all[i].text,
				.len = names->all[i].len };
			return;
		}
	put_number(m->v->made, v);
	*x = made_since(m->v, from);
}

/* Pops the array and n numbers after it. */
static bool
take(struct cp_machine *m, size_t n, struct cp_value *array, uint64_t *numbers)
{
	for (size_t i = 0; i < n; i++)
		numbers[i] =
		    cp_value_number(cp_machine_top(m, n - 1 - i), m->v);
	*array = *cp_machine_top(m, n);
	if (m->failed || array->kind != CP_VALUE_RAW) {
		m->failed = true;
		return false;
	}
	m->depth -= n + 1;
	return true;
}

static void
put_hex(struct cp_machine *m, bool apart)
{
	struct cp_buf *b = m->v->made;
	struct cp_value a;
	size_t from = b->len;
	uint64_t n;

	if (!take(m, 1, &a, &n))
		return;
	if (n > a.len) {
		m->failed = true;
		return;
	}
	for (uint64_t i = 0; i < n; i++) {
		if (i != 0 && apart)
			cp_buf_char(b, ' ');
		cp_buf_hex_of(b, m->v->raw + a.at + i, 1);
	}
	*cp_machine_push(m) = made_since(m->v, from);
}

static void
put_numbers(struct cp_machine *m)
{
	struct cp_buf *b = m->v->made;
	struct cp_value a;
	size_t from = b->len;
	uint64_t n[2], x;

	if (!take(m, 2, &a, n))
		return;
	cp_buf_char(b, '{');
	for (uint64_t i = 0; i < n[0] && !m->failed; i++) {
		if (i * n[1] + n[1] > a.len ||
		    !cp_machine_load(
			m->v, a.at + i * n[1], (unsigned)n[1], false, &x)) {
			m->failed = true;
			break;
		}
		if (i != 0)
			cp_buf_char(b, ',');
		put_number(b, x);
	}
	cp_buf_char(b, '}');
	*cp_machine_push(m) = made_since(m->v, from);
}

/* Prints words of 32 bits, the highest first. */
static void
put_bitmask(struct cp_machine *m)
{
	struct cp_value *x = cp_machine_top(m, 0);
	struct cp_buf *b = m->v->made;
	size_t from = b->len;
	/* The mask is an array of longs of the recorded machine. */
	bool big = m->v->swap != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	uint32_t word = m->v->long_size != 0 ? m->v->long_size : 8;

	if (m->failed || x->kind != CP_VALUE_RAW) {
		m->failed = true;
		return;
	}
	for (uint32_t i = x->len; i-- > 0;) {
		uint32_t at = big ? i - i % word + (word - 1 - i % word) : i;

		if (at >= x->len)
			at = i;
		cp_buf_hex_of(b, m->v->raw + x->at + at, 1);
		if (i % 4 == 0 && i != 0)
			cp_buf_char(b, ',');
	}
	*x = made_since(m->v, from);
}

void
cp_machine_helper(struct cp_machine *m, const struct cp_instr *in)
{
	if (m->v->made == NULL) {
		m->failed = true;
		return;
	}
	switch (in->op) {
	case CP_OP_FLAGS: name_flags(m, in->names); break;
	case CP_OP_SYMBOLIC: name_symbol(m, in->names); break;
	case CP_OP_HEX: put_hex(m, in->size != 0); break;
	case CP_OP_NUMBERS: put_numbers(m); break;
	case CP_OP_BITMASK: put_bitmask(m); break;
	default: break; /* an address of a socket is printed by its bytes */
	}
}
