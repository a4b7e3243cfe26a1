/* SPDX-License-Identifier: MIT */
/*
 * print: a print format is a string and expressions, as printf() has them.
 *
 * The string is cut into items, each a text and one conversion; the expression
 * of each is compiled.
 */
#include "readers/formats/print.h"

#include "base/bytes.h"
#include "readers/formats/print-format.h"

enum { ITEMS_MAX = 1024, WIDTH_MAX = 1024 };

/* -------------------------------------------------------------- compiling */

/* Reads what follows %p. */
static const char *
read_pointer(const char *s, struct cp_print_item *item)
{
	item->size = 8;
	switch (*s) {
	case 'F':
	case 'S':
	case 'B': item->pointer = CP_POINTER_SYMBOL; break;
	case 'f':
	case 's': item->pointer = CP_POINTER_FUNCTION; break;
	case 'M':
	case 'm':
		item->pointer = CP_POINTER_MAC;
		item->variant = *s == 'm' ? '\0' : s[1] == 'F' ? '-' : ':';
		return s + 1 + (*s == 'M' && s[1] == 'F');
	case 'I':
	case 'i':
		item->variant = *s;
		item->pointer = s[1] == '4'   ? CP_POINTER_IPV4
				: s[1] == '6' ? CP_POINTER_IPV6
					      : CP_POINTER_SOCKADDR;
		if (s[1] == '\0')
			return s + 1;
		s += 2;
		if (item->pointer == CP_POINTER_IPV6 && *s == 'c') {
			item->variant = 'c';
			s++;
		}
		if (item->pointer == CP_POINTER_SOCKADDR)
			item->variant = '\0';
		for (; item->pointer == CP_POINTER_SOCKADDR &&
		       strchr("pfshnblc", *s) != NULL && *s != '\0';
		     s++)
			item->variant = *s == 'p' ? 'p' : item->variant;
		return s;
	case 'U':
		item->pointer = CP_POINTER_UUID;
		item->variant = 'b';
		if (s[1] != '\0' && strchr("bBlL", s[1]) != NULL) {
			item->variant = s[1];
			s++;
		}
		break;
	case 'h':
		item->pointer = CP_POINTER_HEX;
		item->variant = s[1] == 'C'   ? ':'
				: s[1] == 'D' ? '-'
				: s[1] == 'N' ? '\0'
					      : ' ';
		s += strchr("CDN", s[1]) != NULL && s[1] != '\0';
		break;
	case 'K':
	case 'x': break;
	default: return s;
	}
	return s + 1;
}

static const char *
read_size(const char *s, uint8_t long_size, struct cp_print_item *item)
{
	item->size = 4;
	if (s[0] == 'h') {
		item->size = s[1] == 'h' ? 1 : 2;
		return s + (s[1] == 'h' ? 2 : 1);
	}
	if (s[0] == 'l' && s[1] != 'l') {
		item->size = long_size;
		return s + 1;
	}
	if (strchr("lLjqztZ", *s) != NULL && *s != '\0') {
		item->size =
		    *s == 'z' || *s == 't' || *s == 'Z' ? long_size : 8;
		return s + (s[0] == 'l' ? 2 : 1);
	}
	return s;
}

static int
read_digits(const char **s)
{
	int n = 0;

	for (; **s >= '0' && **s <= '9'; ++*s)
		n = n < WIDTH_MAX ? n * 10 + (**s - '0') : n;
	return CP_MIN(n, WIDTH_MAX);
}

/* Reads a conversion after its %; NULL: it is not known. */
static const char *
read_conversion(const char *s, uint8_t long_size, struct cp_print_item *item)
{
	item->precision = -1;
	for (; *s != '\0' && strchr("-+ 0#", *s) != NULL; s++) {
		item->left |= *s == '-';
		item->plus |= *s == '+';
		item->space |= *s == ' ';
		item->zero |= *s == '0';
		item->alternate |= *s == '#';
	}
	item->star_width = *s == '*';
	if (item->star_width)
		s++;
	else
		item->width = read_digits(&s);
	if (*s == '.') {
		s++;
		item->star_precision = *s == '*';
		if (item->star_precision)
			s++;
		else
			item->precision = read_digits(&s);
	}
	s = read_size(s, long_size, item);
	item->conversion = *s == 'i' ? 'd' : *s;
	if (*s == '\0' || strchr("diuxXoscp", *s) == NULL)
		return NULL;
	return *s == 'p' ? read_pointer(s + 1, item) : s + 1;
}

struct reading {
	struct cp_expr_source src;
	CP_VEC(struct cp_print_item) items;
	cp_instrs code;
	struct cp_buf text;
};

static bool
read_argument(struct reading *r)
{
	struct cp_token t = cp_token_next(&r->src.at);

	return t.kind == CP_TOKEN_SIGN && t.number == ',' &&
	       cp_expr_compile(&r->src, &r->code);
}

static bool
read_arguments(struct reading *r, struct cp_print_item *item)
{
	item->code[0] = (uint32_t)r->code.len;
	if (item->star_width && !read_argument(r))
		return false;
	item->code[1] = (uint32_t)r->code.len;
	if (item->star_precision && !read_argument(r))
		return false;
	item->code[2] = (uint32_t)r->code.len;
	if (!read_argument(r))
		return false;
	item->code[3] = (uint32_t)r->code.len;
	return true;
}

static bool
add_item(struct reading *r, struct cp_print_item *item)
{
	if (r->items.len == ITEMS_MAX)
		return false;
	item->text =
	    cp_arena_strndup(r->src.arena, cp_buf_text(&r->text), r->text.len);
	item->text_len = (uint32_t)r->text.len;
	cp_buf_reset(&r->text);
	*cp_vec_push(&r->items) = *item;
	return true;
}

static bool
read_items(struct reading *r)
{
	struct cp_token t = cp_token_next(&r->src.at);
	struct cp_print_item item = { 0 };
	const char *s;
	uint32_t n;

	if (t.kind != CP_TOKEN_STRING)
		return false;
	s = cp_token_string(&t, &r->src.at, r->src.arena, &n);
	while (*s != '\0') {
		if (*s != '%' || s[1] == '%') {
			cp_buf_char(&r->text, *s);
			s += *s == '%' ? 2 : 1;
			continue;
		}
		item = (struct cp_print_item){ 0 };
		s = read_conversion(s + 1, r->src.long_size, &item);
		if (s == NULL || !read_arguments(r, &item) ||
		    !add_item(r, &item))
			return false;
	}
	/* A line ends once. */
	while (r->text.len != 0 && r->text.data[r->text.len - 1] == '\n')
		r->text.len--;
	item = (struct cp_print_item){ 0 };
	t = cp_token_next(&r->src.at);
	return t.kind == CP_TOKEN_END && add_item(r, &item);
}

const struct cp_print *
cp_print_compile(struct cp_arena *arena, const struct cp_tracepoints *tp,
    const struct cp_tp_event *e)
{
	struct reading r = { .src = { .event = e,
				 .long_size =
				     tp->long_size != 0 ? tp->long_size : 8,
				 .arena = arena,
				 .at = e->print_fmt } };
	struct cp_print_item *items;
	struct cp_instr *code;
	struct cp_print *p = NULL;

	cp_buf_init(&r.text, SIZE_MAX / 2);
	if (e->print_fmt[0] != '\0' && read_items(&r)) {
		p = cp_arena_alloc(arena, sizeof(*p));
		items = cp_arena_alloc(arena, r.items.len * sizeof(*items));
		memcpy(items, r.items.data, r.items.len * sizeof(*items));
		code = cp_arena_alloc(arena, (r.code.len + 1) * sizeof(*code));
		if (r.code.len != 0)
			memcpy(code, r.code.data, r.code.len * sizeof(*code));
		*p = (struct cp_print){ items, (uint32_t)r.items.len, code };
	}
	cp_buf_free(&r.text);
	cp_vec_free(&r.items);
	cp_vec_free(&r.code);
	return p;
}

/* --------------------------------------------------------------- printing */

static bool
argument(const struct cp_print *p, const struct cp_print_item *item, int i,
    struct cp_payload_view *v, struct cp_value *out)
{
	return cp_expr_eval(
	    p->code + item->code[i], item->code[i + 1] - item->code[i], v, out);
}

/* Returns the number of a star; a negative width aligns left. */
static bool
star(const struct cp_print *p, const struct cp_print_item *item, int i,
    struct cp_payload_view *v, int *out)
{
	struct cp_value x;
	int64_t n;

	if (!argument(p, item, i, v, &x))
		return false;
	n = (int32_t)cp_value_number(&x, v);
	*out = (int)(n > WIDTH_MAX    ? WIDTH_MAX
		     : n < -WIDTH_MAX ? -WIDTH_MAX
				      : n);
	return true;
}

static bool
print_item(const struct cp_print *p, const struct cp_print_item *item,
    struct cp_payload_view *v, struct cp_buf *out)
{
	struct cp_print_item with = *item;
	struct cp_value x;

	if (item->star_width && !star(p, item, 0, v, &with.width))
		return false;
	if (with.width < 0) {
		with.left = true;
		with.width = -with.width;
	}
	if (item->star_precision && !star(p, item, 1, v, &with.precision))
		return false;
	if (!argument(p, item, 2, v, &x))
		return false;
	cp_print_value(&with, &x, v, out);
	return true;
}

bool
cp_print_payload(
    const struct cp_print *p, struct cp_payload_view *v, struct cp_buf *out)
{
	size_t from = out->len;
	bool ok = true;

	for (uint32_t i = 0; i < p->n && ok; i++) {
		const struct cp_print_item *item = &p->items[i];
		struct cp_value x;

		cp_buf_add(out, item->text, item->text_len);
		if (item->conversion == '\0')
			continue;
		cp_buf_reset(v->made);
		if (item->star_width || item->star_precision) {
			ok = print_item(p, item, v, out);
		} else {
			ok = argument(p, item, 2, v, &x);
			if (ok)
				cp_print_value(item, &x, v, out);
		}
	}
	if (!ok)
		out->len = from;
	return ok;
}
