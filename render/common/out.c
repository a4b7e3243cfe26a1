/* SPDX-License-Identifier: MIT */
#include "render/common/out.h"

void
cp_out_init(struct cp_out *o, cp_out_fn write, void *ctx)
{
	o->write = write;
	o->ctx = ctx;
	o->failed = false;
	o->len = 0;
}

static void
out_pass(struct cp_out *o, const void *p, size_t n)
{
	if (!o->failed && n != 0 && o->write(o->ctx, p, n) != 0)
		o->failed = true;
}

static void
out_flush(struct cp_out *o)
{
	out_pass(o, o->data, o->len);
	o->len = 0;
}

void
cp_out_add(struct cp_out *o, const void *p, size_t n)
{
	if (n > sizeof(o->data) - o->len)
		out_flush(o);
	if (n > sizeof(o->data)) {
		out_pass(o, p, n);
		return;
	}
	memcpy(o->data + o->len, p, n);
	o->len += n;
}

void
cp_out_str(struct cp_out *o, const char *s)
{
	cp_out_add(o, s, strlen(s));
}

void
cp_out_char(struct cp_out *o, char c)
{
	cp_out_add(o, &c, 1);
}

void
cp_out_repeat(struct cp_out *o, const char *s, size_t times)
{
	while (times-- != 0)
		cp_out_str(o, s);
}

void
cp_out_u64(struct cp_out *o, uint64_t v)
{
	struct cp_decimal d = cp_decimal(v);

	cp_out_add(o, d.digits + d.at, sizeof(d.digits) - d.at);
}

void
cp_out_printf(struct cp_out *o, const char *fmt, ...)
{
	char text[256];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (n >= 0 && (size_t)n < sizeof(text)) {
		cp_out_add(o, text, (size_t)n);
		return;
	}

	struct cp_buf b;

	cp_buf_init(&b, SIZE_MAX / 2);
	va_start(ap, fmt);
	cp_buf_vprintf(&b, fmt, ap);
	va_end(ap);
	cp_out_add(o, cp_buf_text(&b), b.len);
	cp_buf_free(&b);
}

int
cp_out_end(struct cp_out *o)
{
	out_flush(o);
	return o->failed ? CP_FAIL : CP_OK;
}

int
cp_out_to_buf(void *ctx, const void *data, size_t n)
{
	struct cp_buf *b = ctx;

	cp_buf_add(b, data, n);
	return b->full ? CP_FAIL : CP_OK;
}
