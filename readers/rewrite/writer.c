/* SPDX-License-Identifier: MIT */
#include "readers/rewrite/writer.h"

#include "base/bytes.h"
#include "base/retry.h"
#include "readers/header/attr-decode.h"

enum { CHUNK = 1 << 18 };

void
cp_rewrite_buffer(struct cp_rewriter *w)
{
	cp_buf_init(&w->buf, 2 * CHUNK);
}

static void
write_at(struct cp_rewriter *w, const void *data, size_t n, uint64_t at)
{
	if (!w->failed)
		w->failed = !cp_pwrite_all(w->fd, data, n, at);
}

void
cp_rewrite_flush(struct cp_rewriter *w)
{
	write_at(w, w->buf.data, w->buf.len, w->at);
	w->at += w->buf.len;
	cp_buf_reset(&w->buf);
}

void
cp_rewrite_put(struct cp_rewriter *w, const void *p, size_t n)
{
	if (w->buf.len + n > CHUNK)
		cp_rewrite_flush(w);
	cp_buf_add(&w->buf, p, n);
}

void
cp_rewrite_put16(struct cp_rewriter *w, uint16_t v)
{
	v = w->swap ? __builtin_bswap16(v) : v;
	cp_rewrite_put(w, &v, sizeof(v));
}

void
cp_rewrite_put32(struct cp_rewriter *w, uint32_t v)
{
	v = w->swap ? __builtin_bswap32(v) : v;
	cp_rewrite_put(w, &v, sizeof(v));
}

void
cp_rewrite_put64(struct cp_rewriter *w, uint64_t v)
{
	v = w->swap ? __builtin_bswap64(v) : v;
	cp_rewrite_put(w, &v, sizeof(v));
}

void
cp_rewrite_head(struct cp_rewriter *w, const struct cp_event *ev, uint32_t size)
{
	cp_rewrite_put32(w, ev->type);
	cp_rewrite_put16(w, ev->misc);
	cp_rewrite_put16(w, (uint16_t)size);
}

void
cp_rewrite_copy(struct cp_rewriter *w, uint64_t from, uint64_t n, uint64_t to)
{
	CP_CLEANUP(cp_cleanup_free) uint8_t *p = cp_xmalloc(CHUNK);

	while (n > 0 && !w->failed) {
		ssize_t got = cp_input_read(
		    &w->src->in, p, (size_t)CP_MIN(n, (uint64_t)CHUNK), from);

		w->failed = got <= 0;
		if (w->failed)
			return;
		write_at(w, p, (size_t)got, to);
		from += (uint64_t)got;
		to += (uint64_t)got;
		n -= (uint64_t)got;
	}
}

void
cp_rewrite_attr(const struct cp_rewriter *w, uint8_t *attr, size_t n)
{
	bool swap = w->swap;
	uint64_t st;

	if (n < CP_ATTR_SIZE_VER0)
		return;
	st = cp_load64(attr + 24, swap);
	if ((st & CP_REWRITE_USER_DATA) == 0)
		return;
	if (st & CP_SAMPLE_STACK_USER)
		st |= CP_SAMPLE_CALLCHAIN;
	if (!w->fields)
		st &= ~(uint64_t)CP_REWRITE_USER_DATA;
	cp_rewrite_store64(attr + 24, st, swap);
	if (!w->fields && n >= 92 && cp_load32(attr + 4, swap) >= 92)
		memset(attr + 80, 0, 12); /* sample_regs_user, _stack_user */
}
