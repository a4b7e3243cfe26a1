/* SPDX-License-Identifier: MIT */
/*
 * print-value: one value in the form of a conversion, as perf prints it.
 */
#include "base/bytes.h"
#include "readers/formats/print-format.h"

enum { HEX_MAX = 64 }; /* bytes that %*ph prints */

static void
pad(struct cp_buf *b, char c, size_t n)
{
	for (; n != 0; n--)
		cp_buf_char(b, c);
}

/* Adds the text in the item's width. */
static void
put_text(const struct cp_print_item *item, struct cp_buf *b, const char *text,
    size_t n)
{
	size_t width = (size_t)item->width;

	if (n < width && !item->left)
		pad(b, ' ', width - n);
	cp_buf_add(b, text, n);
	if (n < width && item->left)
		pad(b, ' ', width - n);
}

/* ---------------------------------------------------------------- numbers */

static size_t
digits_of(uint64_t v, unsigned shift, bool capital, char out[static 32])
{
	const char *digits = capital ? "0123456789ABCDEF" : "0123456789abcdef";
	size_t at = 32;

	if (shift == 0) {
		struct cp_decimal d = cp_decimal(v);
		size_t n = sizeof(d.digits) - d.at;

		memcpy(out + 32 - n, d.digits + d.at, n);
		return n;
	}
	do {
		out[--at] = digits[v & ((1u << shift) - 1)];
		v >>= shift;
	} while (v != 0);
	return 32 - at;
}

static void
put_number(const struct cp_print_item *item, uint64_t v, struct cp_buf *b)
{
	char digits[32], sign[3] = "";
	unsigned shift = item->conversion == 'x' || item->conversion == 'X' ? 4
			 : item->conversion == 'o'                          ? 3
									    : 0;
	size_t n, zeros = 0, all;

	if (item->size < 8)
		v &= (UINT64_C(1) << 8 * item->size) - 1;
	if (item->conversion == 'd' && item->size < 8)
		v = (v ^ UINT64_C(1) << (8 * item->size - 1)) -
		    (UINT64_C(1) << (8 * item->size - 1));
	if (item->conversion == 'd' && (int64_t)v < 0) {
		sign[0] = '-';
		v = 0 - v;
	} else if (item->conversion == 'd' && (item->plus || item->space)) {
		sign[0] = item->plus ? '+' : ' ';
	} else if (item->alternate && shift != 0 && v != 0) {
		sign[0] = '0';
		sign[1] = shift == 4 ? item->conversion : '\0';
	}
	n = digits_of(v, shift, item->conversion == 'X', digits);
	if (item->precision >= 0 && n < (size_t)item->precision)
		zeros = (size_t)item->precision - n;
	all = strlen(sign) + n;
	if (item->zero && !item->left && item->precision < 0 &&
	    all < (size_t)item->width)
		zeros = (size_t)item->width - all;
	all += zeros;
	if (!item->left && all < (size_t)item->width)
		pad(b, ' ', (size_t)item->width - all);
	cp_buf_str(b, sign);
	pad(b, '0', zeros);
	cp_buf_add(b, digits + 32 - n, n);
	if (item->left && all < (size_t)item->width)
		pad(b, ' ', (size_t)item->width - all);
}

/* --------------------------------------------------------------- pointers */

static void
put_symbol(const struct cp_print_item *item, uint64_t addr,
    const struct cp_payload_view *v, struct cp_buf *b)
{
	uint64_t start = addr;
	const char *name =
	    v->symbol != NULL ? v->symbol(v->ctx, addr, &start) : NULL;

	if (name == NULL) {
		cp_buf_add(b, "0x", 2);
		cp_buf_hex(b, addr);
		return;
	}
	cp_buf_str(b, name);
	if (item->pointer == CP_POINTER_SYMBOL) {
		cp_buf_add(b, "+0x", 3);
		cp_buf_hex(b, addr - start);
	}
}

static void
put_mac(struct cp_buf *b, const uint8_t *p, size_t n, char between)
{
	if (n != 6) {
		cp_buf_str(b, "INVALIDMAC");
		return;
	}
	for (size_t i = 0; i < n; i++) {
		if (i != 0 && between != '\0')
			cp_buf_char(b, between);
		cp_buf_hex_of(b, p + i, 1);
	}
}

static void
put_ipv4(struct cp_buf *b, const uint8_t *p, bool wide)
{
	for (int i = 0; i < 4; i++)
		cp_buf_printf(
		    b, wide ? "%s%03u" : "%s%u", i != 0 ? "." : "", p[i]);
}

static bool
is_mapped(const uint8_t *p)
{
	static const uint8_t start[12] = { [10] = 0xff, [11] = 0xff };

	return memcmp(p, start, sizeof(start)) == 0;
}

/* The short form: the longest run of zero words is "::". */
static void
put_ipv6_short(struct cp_buf *b, const uint8_t *p)
{
	int words = is_mapped(p) ? 6 : 8, best = -1, best_n = 1;

	for (int i = 0; i < words; i++) {
		int n = 0;

		while (i + n < words && p[2 * (i + n)] == 0 &&
		       p[2 * (i + n) + 1] == 0)
			n++;
		if (n > best_n) {
			best = i;
			best_n = n;
		}
	}
	for (int i = 0; i < words; i++) {
		if (i == best) {
			cp_buf_str(b, i == 0 ? "::" : ":");
			i += best_n - 1;
			continue;
		}
		cp_buf_hex(b, (uint64_t)p[2 * i] << 8 | p[2 * i + 1]);
		if (i + 1 < 8)
			cp_buf_char(b, ':');
	}
	if (words == 6)
		put_ipv4(b, p + 12, false);
}

static void
put_ipv6(struct cp_buf *b, const uint8_t *p, char variant)
{
	if (variant == 'c') {
		put_ipv6_short(b, p);
		return;
	}
	for (int i = 0; i < 16; i += 2) {
		if (i != 0 && variant == 'I')
			cp_buf_char(b, ':');
		cp_buf_hex_of(b, p + i, 2);
	}
}

/* A struct sockaddr: family in the order of the machine, port in the net's. */
static void
put_sockaddr(struct cp_buf *b, const uint8_t *p, size_t n, bool swap, bool port)
{
	unsigned family = n >= 2 ? cp_load16(p, swap) : 0;
	bool v6 = family == 10;

	if ((family != 2 && !v6) || n < (v6 ? 24u : 8u)) {
		cp_buf_str(b, "INVALIDSOCKADDR");
		return;
	}
	if (v6 && port)
		cp_buf_char(b, '[');
	if (v6)
		put_ipv6(b, p + 8, 'c');
	else
		put_ipv4(b, p + 4, false);
	if (port)
		cp_buf_printf(
		    b, v6 ? "]:%u" : ":%u", (unsigned)p[2] << 8 | p[3]);
}

static void
put_uuid(struct cp_buf *b, const uint8_t *p, char variant)
{
	static const uint8_t little[16] = { 3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10,
		11, 12, 13, 14, 15 };
	bool is_little = variant == 'l' || variant == 'L';
	bool capital = variant == 'B' || variant == 'L';

	for (int i = 0; i < 16; i++)
		cp_buf_printf(b, capital ? "%s%02X" : "%s%02x",
		    i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
		    p[is_little ? little[i] : i]);
}

static void
put_bytes(const struct cp_print_item *item, const uint8_t *p, size_t n,
    struct cp_buf *b)
{
	size_t most = item->width != 0 ? (size_t)item->width : n;

	n = CP_MIN(CP_MIN(n, most), (size_t)HEX_MAX);
	for (size_t i = 0; i < n; i++) {
		if (i != 0 && item->variant != '\0')
			cp_buf_char(b, item->variant);
		cp_buf_hex_of(b, p + i, 1);
	}
}

static void
put_pointer(const struct cp_print_item *item, const struct cp_value *x,
    struct cp_payload_view *v, struct cp_buf *b)
{
	size_t n;
	const uint8_t *p = (const uint8_t *)cp_value_bytes(x, v, &n);
	uint64_t address;

	switch (item->pointer) {
	case CP_POINTER_SYMBOL:
	case CP_POINTER_FUNCTION:
		put_symbol(item, cp_value_number(x, v), v, b);
		return;
	case CP_POINTER_MAC: put_mac(b, p, n, item->variant); return;
	case CP_POINTER_IPV4:
		if (n == 4)
			put_ipv4(b, p, item->variant == 'i');
		else
			cp_buf_str(b, "INVALIDIPv4");
		return;
	case CP_POINTER_IPV6:
		if (n == 16)
			put_ipv6(b, p, item->variant);
		else
			cp_buf_str(b, "INVALIDIPv6");
		return;
	case CP_POINTER_SOCKADDR:
		put_sockaddr(b, p, n, v->swap, item->variant == 'p');
		return;
	case CP_POINTER_UUID:
		if (n == 16)
			put_uuid(b, p, item->variant);
		else
			cp_buf_str(b, "INVALIDUUID");
		return;
	case CP_POINTER_HEX: put_bytes(item, p, n, b); return;
	default:
		address = cp_value_number(x, v);
		cp_buf_str(b, address != 0 ? "0x" : "(nil)");
		if (address != 0)
			cp_buf_hex(b, address);
	}
}

/* ------------------------------------------------------------------ texts */

static void
put_string(const struct cp_print_item *item, const struct cp_value *x,
    struct cp_payload_view *v, struct cp_buf *b)
{
	const char *text;
	size_t n;

	if (x->kind == CP_VALUE_NUMBER) {
		/* The address of a text that is not in the capture. */
		text = v->tp != NULL ? cp_tp_printk(v->tp, x->number) : NULL;
		if (text != NULL)
			cp_buf_str(b, text);
		else
			cp_buf_hex(b, x->number);
		return;
	}
	text = cp_value_bytes(x, v, &n);
	n = strnlen(text, n);
	if (item->precision >= 0)
		n = CP_MIN(n, (size_t)item->precision);
	put_text(item, b, text, n);
}

void
cp_print_value(const struct cp_print_item *item, const struct cp_value *x,
    struct cp_payload_view *v, struct cp_buf *b)
{
	char c;

	switch (item->conversion) {
	case 's': put_string(item, x, v, b); return;
	case 'p': put_pointer(item, x, v, b); return;
	case 'c':
		c = (char)cp_value_number(x, v);
		put_text(item, b, &c, 1);
		return;
	default: put_number(item, cp_value_number(x, v), b);
	}
}
