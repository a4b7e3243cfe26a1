/* SPDX-License-Identifier: MIT */
/*
 * compressed: zstd-compressed records.
 *
 * The payloads of a data file are slices of one continuous zstd stream, so
 * after a damaged slice nothing can be inflated until a new frame starts.
 *
 * perf 6.16 to 7.1 writes wrong sizes if one flush needs several COMPRESSED2
 * records.  The first record has the size of all of them: truncated to 16 bits
 * in its header, complete as the size of the data.  The next ones have a right
 * header and a meaningless size of the data.
 */
#include <zstd.h>

#include "base/caps/caps.h"
#include "base/limits.h"
#include "readers/record/stream-state.h"
#include "readers/rules.h"

enum {
	BLOCK_HEAD = 3, /* bytes of a block's header, which zstd wants next */
	HEAD2 = 16,     /* of a COMPRESSED2 record */
	FULL = 65535,   /* every record of a flush but the last */
};

static bool
frame_starts(const uint8_t *p, size_t n)
{
	return n >= 4 && cp_load32(p, false) == ZSTD_MAGICNUMBER;
}

/* Counts inflated bytes; false: they exceed the limit for all records. */
static bool
within_sum(struct cp_stream *s, size_t n)
{
	uint64_t ratio = cp_cap(CP_CAP_INFLATE_RATIO);
	struct cp_recording *r = s->rec;

	r->inflated += n;
	return r->inflated <= cp_cap(CP_CAP_INFLATED) ||
	       r->inflated / CP_MAX(ratio, UINT64_C(1)) <= r->deflated;
}

void
cp_stream_lose(struct cp_stream *s)
{
	if (s->zstd == NULL)
		return;
	s->zstd_lost = true;
	ZSTD_DCtx_reset(s->zstd, ZSTD_reset_session_only);
}

static int
inflate_failed(struct cp_stream *s, enum cp_diag_id id, const char *why)
{
	cp_diag(s->diags, id, "%s", why);
	cp_stream_lose(s);
	return CP_FAIL;
}

static int
inflate_all(struct cp_stream *s, ZSTD_inBuffer *in)
{
	static const size_t piece = 128 << 10;
	CP_CLEANUP(cp_cleanup_free) uint8_t *buf = cp_xmalloc(piece);
	ZSTD_outBuffer out = { .dst = buf, .size = piece, .pos = piece };
	size_t total = 0;

	while (in->pos < in->size || out.pos == out.size) {
		size_t before = in->pos, r;

		out.pos = 0;
		r = ZSTD_decompressStream(s->zstd, &out, in);
		if (ZSTD_isError(r))
			return inflate_failed(
			    s, CP_D_BAD_COMPRESSION, ZSTD_getErrorName(r));
		s->zstd_wants = r;
		total += out.pos;
		s->quality->bytes_inflated += out.pos;
		if (total > CP_MAX_INFLATED)
			return inflate_failed(s, CP_D_LIMIT,
			    "a compressed record inflates to over 64 MiB");
		if (!within_sum(s, out.pos))
			return inflate_failed(s, CP_D_LIMIT,
			    "compressed records inflate to too much "
			    "(--limit inflated, inflate-ratio)");
		cp_window_push(&s->inner, buf, out.pos);
		if (out.pos == 0 && in->pos == before)
			break;
	}
	return CP_OK;
}

/*
 * perf flushes each block, so no block should be incomplete at the end.  A
 * damaged block may seem larger, and then swallows the data after it.
 */
void
cp_stream_inflated(struct cp_stream *s)
{
	if (s->zstd_wants > BLOCK_HEAD && !s->zstd_lost && !s->cut)
		cp_found(s->diags, CP_R_BLOCK, s->outer.offset,
		    "the last block lacks %zu byte%s",
		    s->zstd_wants - BLOCK_HEAD,
		    cp_s(s->zstd_wants - BLOCK_HEAD));
	s->zstd_wants = 0;
}

int
cp_stream_inflate(struct cp_stream *s, const uint8_t *p, size_t n)
{
	ZSTD_inBuffer in = { .src = p, .size = n };
	bool ok;

	if (s->zstd == NULL)
		s->zstd = ZSTD_createDCtx();
	if (s->zstd == NULL)
		return inflate_failed(s, CP_D_MEMORY, "zstd context");
	if (s->zstd_lost && !frame_starts(p, n))
		return inflate_failed(
		    s, CP_D_BAD_COMPRESSION, "it refers to data that are lost");
	if (s->zstd_lost && s->inner.mem != NULL)
		cp_window_skip(&s->inner, UINT64_MAX); /* half a record */
	s->anew |= s->zstd_lost;
	s->doubt &= !s->zstd_lost; /* a new frame */
	s->zstd_lost = false;
	s->rec->deflated += n;
	ok = inflate_all(s, &in) == CP_OK;
	s->doubt |= !ok;
	cp_stream_unit(s);
	return ok ? CP_OK : CP_FAIL;
}

/* ----------------------------------------------------------- damaged types */

/* Returns the size of the header of a frame that starts at p, or 0. */
static size_t
frame_head(const uint8_t *p, size_t n)
{
	static const uint8_t id[] = { 0, 1, 2, 4 }, content[] = { 0, 2, 4, 8 };
	bool single;

	if (n < 5 || !frame_starts(p, n))
		return 0;
	single = (p[4] & 0x20) != 0;
	return 5 + (single ? 0 : 1) + id[p[4] & 3] +
	       (single && p[4] < 0x40 ? 1 : content[p[4] >> 6]);
}

/* Is this a part of a zstd stream: blocks, each with some content? */
static bool
are_blocks(const uint8_t *p, size_t n)
{
	size_t at = frame_head(p, n);

	while (at + BLOCK_HEAD < n) {
		uint32_t head = p[at] | (uint32_t)p[at + 1] << 8 |
				(uint32_t)p[at + 2] << 16;
		unsigned type = head >> 1 & 3;
		size_t size = head >> 3;

		/* perf ends no frame; 1 is a byte repeated, 3 is reserved */
		if ((head & 1) != 0 || type == 3 || size == 0 ||
		    size > ZSTD_BLOCKSIZE_MAX)
			return false;
		at += BLOCK_HEAD + (type == 1 ? 1 : size);
	}
	return n > BLOCK_HEAD && at == n;
}

/* Returns the type of compressed record that has such content, or 0. */
static uint32_t
packed_type(const struct cp_stream *s, const uint8_t *p, size_t size)
{
	uint64_t n = size > HEAD2 ? cp_load64(p + 8, s->swap) : UINT64_MAX;

	if (n <= size && cp_align8(n + HEAD2) == size &&
	    are_blocks(p + HEAD2, (size_t)n))
		return CP_RECORD_COMPRESSED2;
	return size > CP_HEAD_SIZE &&
		       are_blocks(p + CP_HEAD_SIZE, size - CP_HEAD_SIZE)
		   ? CP_RECORD_COMPRESSED
		   : 0;
}

bool
cp_stream_unmask(
    struct cp_stream *s, struct cp_window *w, struct cp_record_head *h)
{
	uint32_t was = h->type, type;
	bool known;

	if ((s->zstd == NULL && !s->rec->info.compressed) ||
	    (was < CP_RECORD_HEADER_ATTR && cp_head_plausible(h, &known)) ||
	    cp_window_have(w, h->size) < h->size)
		return false;
	type = packed_type(s, w->at, h->size);
	if (type == 0 || type == was)
		return false;
	h->type = type;
	cp_found(s->diags, CP_R_MASKED, w->offset,
	    "type %" PRIu32 ", used with %" PRIu32
	    " bytes, as compressed records",
	    was, h->size);
	s->quality->bytes_skipped += CP_HEAD_SIZE;
	s->quality->bytes_parsed -= CP_HEAD_SIZE;
	return true;
}

/* ---------------------------------------------------------- wrapped sizes */

/* Does another record of the same flush follow the first one? */
static bool
flush_goes_on(struct cp_stream *s, struct cp_window *w, uint64_t total)
{
	size_t left = cp_window_have(w, FULL + CP_HEAD_SIZE);
	struct cp_record_head h;

	if (left < FULL + CP_HEAD_SIZE)
		return left >= FULL; /* the file is cut */
	h = cp_head_read(w->at + FULL, s->swap);
	return h.type == CP_RECORD_COMPRESSED2 && h.misc == 0 &&
	       h.size > HEAD2 && h.size <= total - FULL;
}

bool
cp_stream_unwrap(
    struct cp_stream *s, struct cp_window *w, struct cp_record_head *h)
{
	uint64_t data, total;

	if (w->in == NULL || cp_window_have(w, HEAD2) < HEAD2)
		return false;
	if (w->offset < s->flush_end)
		return h->misc == 0 && h->size > HEAD2 &&
		       h->size <= s->flush_end - w->offset;
	data = cp_load64(w->at + 8, s->swap);
	if (data > w->limit - w->offset - HEAD2)
		return false;
	total = data + HEAD2;
	if (cp_align8(total) <= h->size ||
	    (cp_align8(total) & 0xffff) != h->size)
		return false;
	if (total > FULL && !flush_goes_on(s, w, total))
		return false;
	h->size = (uint32_t)CP_MIN(total, (uint64_t)FULL);
	s->flush_end = w->offset + total;
	return true;
}
