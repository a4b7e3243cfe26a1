/* SPDX-License-Identifier: MIT */
#include "render/page/column.h"

#include <libdeflate.h>
#include <stdatomic.h>

#include "base/mem.h"
#include "base/pool.h"

/* Levels: more costs more time than it saves in bytes of such planes. */
enum { LEVEL_NUMBERS = 1, LEVEL_TEXTS = 3 };
/* Bytes that take longer to pack than a thread takes to start. */
#define WORTH_THREADS (256u << 10)

uint64_t *
cp_page_values(struct cp_page_columns *c, size_t n)
{
	if (n > c->value_cap) {
		free(c->value);
		c->value = cp_xmalloc(n * sizeof(*c->value));
		c->value_cap = n;
	}
	return c->value;
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

static struct cp_page_block *
new_block(struct cp_page_columns *c, const char *name, size_t size)
{
	struct cp_page_block *b = cp_vec_push(&c->blocks);

	*b = (struct cp_page_block){ .name = name, .size = size };
	b->raw = cp_xmalloc(size);
	c->bytes += size;
	return b;
}

void
cp_page_column(struct cp_page_columns *c, const char *name,
    enum cp_page_type type, unsigned how, size_t n)
{
	struct cp_page_block *b;
	unsigned width;

	encode(c->value, n, type, how);
	width = width_of(c->value, n);
	b = new_block(c, name, n * width);
	b->type = type;
	b->how = how;
	b->n = n;
	for (unsigned k = 0; k < width; k++)
		for (size_t i = 0; i < n; i++)
			b->raw[k * n + i] = (uint8_t)(c->value[i] >> 8 * k);
}

void
cp_page_bytes(struct cp_page_columns *c, const char *name, const char *code,
    const void *p, size_t size)
{
	struct cp_page_block *b = new_block(c, name, size);

	b->code = code;
	memcpy(b->raw, p, size);
}

/* --------------------------------------------------------------- packing */

struct packing {
	struct cp_page_columns *c;
	atomic_size_t taken;
};

static void
pack(struct cp_page_block *b)
{
	struct libdeflate_compressor *z = libdeflate_alloc_compressor(
	    b->code != NULL ? LEVEL_TEXTS : LEVEL_NUMBERS);
	size_t bound = libdeflate_deflate_compress_bound(z, b->size);

	b->packed = cp_xmalloc(bound);
	b->packed_size =
	    libdeflate_deflate_compress(z, b->raw, b->size, b->packed, bound);
	libdeflate_free_compressor(z);
	free(b->raw);
}

static void *
work(void *ctx)
{
	struct packing *p = ctx;
	size_t i;

	while ((i = atomic_fetch_add(&p->taken, 1)) < p->c->blocks.len)
		pack(&p->c->blocks.data[i]);
	return NULL;
}

static void
put(struct cp_out *out, const struct cp_page_block *b)
{
	static const char *const types[] = { "u32", "f64", "u64" };

	cp_out_printf(out,
	    "<script type=\"text/plain\" class=\"cp-data\" "
	    "data-name=\"%s\" data-code=\"%s",
	    b->name, b->code != NULL ? b->code : types[b->type]);
	cp_out_str(out, b->how & CP_PAGE_MORE ? " more" : "");
	cp_out_str(out, b->how & CP_PAGE_BACK ? " back" : "");
	cp_out_str(out, b->how & CP_PAGE_DELTA ? " delta" : "");
	cp_out_printf(
	    out, "\" data-n=\"%zu\" data-size=\"%zu\">", b->n, b->size);
	if (b->size != 0)
		cp_page_base64(out, b->packed, b->packed_size);
	cp_out_str(out, "</script>\n");
}

void
cp_page_columns_put(
    struct cp_page_columns *c, unsigned jobs, struct cp_out *out)
{
	struct packing p = { .c = c };

	/* So that compressors are never NULL. */
	libdeflate_set_memory_allocator(cp_xmalloc, free);
	cp_pool_share(
	    c->bytes >= WORTH_THREADS ? CP_MIN(jobs, CP_MAX_WORKERS) : 1, work,
	    &p);
	for (size_t i = 0; i < c->blocks.len; i++) {
		put(out, &c->blocks.data[i]);
		free(c->blocks.data[i].packed);
	}
	cp_vec_free(&c->blocks);
	free(c->value);
}
