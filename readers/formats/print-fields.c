/* SPDX-License-Identifier: MIT */
/*
 * print-fields: fields as name=value, where there is no print format.
 */
#include "base/bytes.h"
#include "readers/formats/print.h"

/* Bytes of an array that are printed. */
enum { BYTES = 256 };

static bool
is_text(const struct cp_tp_field *f)
{
	return strstr(f->type, "char") != NULL &&
	       strstr(f->type, "unsigned") == NULL;
}

static bool
printable(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)s[i] < ' ' && strchr("\t\n\r", s[i]) == NULL)
			return false;
	return true;
}

/* Adds a field's value; false: it lies outside. */
static bool
print_value(const struct cp_tp_field *f, const struct cp_payload_view *v,
    struct cp_buf *b)
{
	const char *text;
	uint64_t x;
	size_t n, all;

	if (cp_tp_u64(f, v->raw, v->size, v->swap, &x)) {
		if (strchr(f->type, '*') != NULL ||
		    (!f->is_signed && strstr(f->type, "long") != NULL))
			cp_buf_printf(b, "0x%" PRIx64, x);
		else if (f->is_signed)
			cp_buf_printf(b, "%" PRId64, (int64_t)x);
		else
			cp_buf_u64(b, x);
		return true;
	}
	if (!cp_tp_bytes(f, v->raw, v->size, v->swap, &text, &all))
		return false;
	n = strnlen(text, all);
	if (is_text(f) && printable(text, n)) {
		cp_buf_add(b, text, n);
		return true;
	}
	cp_buf_str(b, "ARRAY[");
	for (size_t i = 0; i < all && i < BYTES; i++) {
		cp_buf_str(b, i != 0 ? ", " : "");
		cp_buf_hex_of(b, (const uint8_t *)text + i, 1);
	}
	cp_buf_str(b, all > BYTES ? " ...]" : "]");
	return true;
}

void
cp_print_fields(const struct cp_tp_event *e, const struct cp_payload_view *v,
    struct cp_buf *b)
{
	bool first = true;

	for (uint32_t i = 0; i < e->n_fields; i++) {
		const struct cp_tp_field *f = &e->fields[i];
		size_t from = b->len;

		if (strncmp(f->name, "common_", 7) == 0)
			continue;
		cp_buf_printf(b, "%s%s=", first ? "" : " ", f->name);
		if (print_value(f, v, b))
			first = false;
		else
			b->len = from;
	}
}
