/* SPDX-License-Identifier: MIT */
#include "render/page/column.h"

#include <libdeflate.h>

#include "base/mem.h"

/* Levels: more costs more time than it saves in bytes of such planes. */
enum { LEVEL_NUMBERS = 1, LEVEL_TEXTS = 6 };

void
cp_page_columns_init(struct cp_page_columns *c, struct cp_out *out)
{
	*c = (struct cp_page_columns){ .out = out };
	/* So that it never answers NULL. */
	libdeflate_set_memory_allocator(cp_xmalloc, free);
	c->fast = libdeflate_alloc_compressor(LEVEL_NUMBERS);
	c->small = libdeflate_alloc_compressor(LEVEL_TEXTS);
}

void
cp_page_columns_free(struct cp_page_columns *c)
{
	libdeflate_free_compressor(c->fast);
	libdeflate_free_compressor(c->small);
	free(c->value);
	free(c->raw);
	free(c->packed);
}

static void *
room(void *p, size_t *cap, size_t n, size_t size)
{
	if (n <= *cap)
		return p;
	free(p);
	*cap = n;
	return cp_xcalloc(n, size);
}

uint64_t *
cp_page_values(struct cp_page_columns *c, size_t n)
{
	return c->value = room(c->value, &c->value_cap, n, sizeof(*c->value));
}

void
cp_page_base64(struct cp_out *out, const uint8_t *p, size_t n)
{
	static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnop"
				    "qrstuvwxyz0123456789+/";
	char text[4096];
	size_t len = 0;

	for (; n >= 3; p += 3, n -= 3) {
		uint32_t v = (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];

		text[len++] = digit[v >> 18];
		text[len++] = digit[v >> 12 & 63];
		text[len++] = digit[v >> 6 & 63];
		text[len++] = digit[v & 63];
		if (len == sizeof(text)) {
			cp_out_add(out, text, len);
			len = 0;
		}
	}
	cp_out_add(out, text, len);
	if (n != 0) {
		uint32_t v =
		    (uint32_t)p[0] << 16 | (n == 2 ? (uint32_t)p[1] << 8 : 0);

		text[0] = digit[v >> 18];
		text[1] = digit[v >> 12 & 63];
		text[2] = n == 2 ? digit[v >> 6 & 63] : '=';
		text[3] = '=';
		cp_out_add(out, text, 4);
	}
}

/* Writes bytes deflated, and ends the element. */
static void
put_packed(struct cp_page_columns *c, struct libdeflate_compressor *z,
    const void *p, size_t size)
{
	size_t bound = libdeflate_deflate_compress_bound(z, size), n;

	cp_out_printf(c->out, " data-size=\"%zu\">", size);
	if (size != 0) {
		c->packed = room(c->packed, &c->packed_cap, bound, 1);
		n = libdeflate_deflate_compress(z, p, size, c->packed, bound);
		cp_page_base64(c->out, c->packed, n);
	}
	cp_out_str(c->out, "</script>\n");
}

static void
put_open(struct cp_page_columns *c, const char *name)
{
	cp_out_printf(c->out,
	    "<script type=\"text/plain\" class=\"cp-data\" data-name=\"%s\"",
	    name);
}

static void
encode(uint64_t *v, size_t n, enum cp_page_type type, unsigned how)
{
	uint64_t before = 0,
		 mask = type == CP_PAGE_U32 ? UINT32_MAX : UINT64_MAX;

	if (how & CP_PAGE_MORE)
		for (size_t i = 0; i < n; i++)
			v[i] = (v[i] + 1) & mask;
	if (how & CP_PAGE_BACK)
		for (size_t i = 0; i < n; i++)
			v[i] = i - v[i];
	if (how & CP_PAGE_DELTA)
		for (size_t i = 0; i < n; i++) {
			uint64_t d = v[i] - before;

			before = v[i];
			v[i] = d << 1 ^ (0 - (d >> 63));
		}
}

/* Returns how many bytes the largest number has. */
static unsigned
width_of(const uint64_t *v, size_t n)
{
	uint64_t all = 0;
	unsigned width = 0;

	for (size_t i = 0; i < n; i++)
		all |= v[i];
	for (; all != 0; all >>= 8)
		width++;
	return width;
}

void
cp_page_column(struct cp_page_columns *c, const char *name,
    enum cp_page_type type, unsigned how, size_t n)
{
	static const char *const types[] = { "u32", "f64", "u64" };
	unsigned width;

	encode(c->value, n, type, how);
	width = width_of(c->value, n);
	c->raw = room(c->raw, &c->raw_cap, n * width, 1);
	for (unsigned k = 0; k < width; k++)
		for (size_t i = 0; i < n; i++)
			c->raw[k * n + i] = (uint8_t)(c->value[i] >> 8 * k);
	put_open(c, name);
	cp_out_printf(c->out, " data-code=\"%s%s%s%s\" data-n=\"%zu\"",
	    types[type], how & CP_PAGE_DELTA ? " delta" : "",
	    how & CP_PAGE_BACK ? " back" : "",
	    how & CP_PAGE_MORE ? " more" : "", n);
	put_packed(c, c->fast, c->raw, n * width);
}

void
cp_page_bytes(struct cp_page_columns *c, const char *name, const char *code,
    const void *p, size_t size)
{
	put_open(c, name);
	cp_out_printf(c->out, " data-code=\"%s\"", code);
	put_packed(c, c->small, p, size);
}
