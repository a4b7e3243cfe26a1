/* SPDX-License-Identifier: MIT */
#include "base/buf.h"
#include "base/strings.h"

void
cp_buf_init(struct cp_buf *b, size_t max)
{
	*b = (struct cp_buf){ .max = max };
}

static bool
buf_room(struct cp_buf *b, size_t n)
{
	size_t need;

	if (n > b->max || b->len > b->max - n) {
		b->full = true;
		return false;
	}
	need = b->len + n + 1;
	if (need > b->cap) {
		b->cap = CP_MAX(need, b->cap + b->cap / 2 + 64);
		b->data = cp_xrealloc(b->data, b->cap, 1);
	}
	return true;
}

void
cp_buf_grow(struct cp_buf *b, const void *p, size_t n)
{
	if (!buf_room(b, n))
		return;
	if (n != 0)
		memcpy(b->data + b->len, p, n);
	b->len += n;
	b->data[b->len] = '\0';
}

struct cp_decimal
cp_decimal(uint64_t v)
{
	struct cp_decimal d = { .at = sizeof(d.digits) };

	/* Two digits at a time: division is the expensive step. */
	for (; v >= 100; v /= 100) {
		unsigned two = (unsigned)(v % 100);

		d.digits[--d.at] = (char)('0' + two % 10);
		d.digits[--d.at] = (char)('0' + two / 10);
	}
	if (v >= 10) {
		d.digits[--d.at] = (char)('0' + v % 10);
		v /= 10;
	}
	d.digits[--d.at] = (char)('0' + v);
	return d;
}

void
cp_buf_u64(struct cp_buf *b, uint64_t v)
{
	struct cp_decimal d = cp_decimal(v);

	cp_buf_add(b, d.digits + d.at, sizeof(d.digits) - d.at);
}

void
cp_buf_hex(struct cp_buf *b, uint64_t v)
{
	char digits[16];
	size_t i = sizeof(digits);

	do {
		digits[--i] = "0123456789abcdef"[v & 15];
		v >>= 4;
	} while (v != 0);
	cp_buf_add(b, digits + i, sizeof(digits) - i);
}

void
cp_buf_hex_of(struct cp_buf *b, const uint8_t *p, size_t n)
{
	if (n > SIZE_MAX / 4 || !buf_room(b, 2 * n))
		return;
	cp_hex_of(b->data + b->len, p, n);
	b->len += 2 * n;
}

void
cp_buf_vprintf(struct cp_buf *b, const char *fmt, va_list ap)
{
	va_list again;
	int n;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (n < 0 || !buf_room(b, (size_t)n))
		return;
	vsnprintf(b->data + b->len, (size_t)n + 1, fmt, ap);
	b->len += (size_t)n;
}

void
cp_buf_printf(struct cp_buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	cp_buf_vprintf(b, fmt, ap);
	va_end(ap);
}

void
cp_buf_cut(struct cp_buf *b, const char *text, size_t n, size_t most)
{
	size_t fits = CP_MIN(n, most);

	while (fits != 0 && fits < n && (text[fits] & 0xc0) == 0x80)
		fits--;
	cp_buf_add(b, text, fits);
	cp_buf_str(b, fits < n ? "..." : "");
}

const char *
cp_buf_text(const struct cp_buf *b)
{
	return b->data != NULL ? b->data : "";
}

void
cp_buf_free(struct cp_buf *b)
{
	free(b->data);
	*b = (struct cp_buf){ .max = b->max };
}
