/* SPDX-License-Identifier: MIT */
/*
 * compressed: zstd-compressed records.
 *
 * The payloads of a data file are slices of one continuous zstd stream, so
 * after a damaged slice nothing can be inflated until a new frame starts.
 */
#include <zstd.h>

#include "base/limits.h"
#include "readers/stream.h"

static bool
frame_starts(const uint8_t *p, size_t n)
{
	return n >= 4 && cp_load32(p, false) == ZSTD_MAGICNUMBER;
}

static int
inflate_failed(struct cp_stream *s, enum cp_diag_id id, const char *why)
{
	cp_diag(s->diags, id, "%s", why);
	s->zstd_lost = true;
	ZSTD_DCtx_reset(s->zstd, ZSTD_reset_session_only);
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
			return inflate_failed(s, CP_D_BAD_COMPRESSION,
			    ZSTD_getErrorName(r));
		total += out.pos;
		if (total > CP_MAX_INFLATED)
			return inflate_failed(s, CP_D_LIMIT,
			    "a compressed record inflates to over 64 MiB");
		cp_window_push(&s->inner, buf, out.pos);
		if (out.pos == 0 && in->pos == before)
			break;
	}
	return CP_OK;
}

int
cp_stream_inflate(struct cp_stream *s, const uint8_t *p, size_t n)
{
	ZSTD_inBuffer in = { .src = p, .size = n };

	if (s->zstd == NULL)
		s->zstd = ZSTD_createDCtx();
	if (s->zstd == NULL)
		return inflate_failed(s, CP_D_MEMORY, "zstd context");
	if (s->zstd_lost && !frame_starts(p, n))
		return CP_FAIL;
	if (s->zstd_lost && s->inner.mem != NULL)
		cp_window_skip(&s->inner, UINT64_MAX); /* half a record */
	s->zstd_lost = false;
	return inflate_all(s, &in);
}
