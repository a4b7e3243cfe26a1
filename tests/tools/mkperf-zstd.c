/* SPDX-License-Identifier: MIT */
/*
 * mkperf: compressed records.
 *
 *	compress begin chunk=4096 type=81|83 level=3
 *	...records...
 *	compress end
 *
 * All blocks of a capture are slices of one zstd stream that is flushed but
 * never ended.  Each compressed record holds `chunk` bytes of plain records,
 * so that records straddle chunks as they do in practice.
 */
#include "mkperf.h"

/* Compresses n bytes at p and flushes; the output is added to b. */
static void
deflate_chunk(struct mk *mk, const char *p, size_t n, struct cp_buf *b)
{
	ZSTD_inBuffer in = { p, n, 0 };
	char room[4096];
	size_t left;

	do {
		ZSTD_outBuffer out = { room, sizeof(room), 0 };

		left = ZSTD_compressStream2(mk->zstd, &out, &in, ZSTD_e_flush);
		if (ZSTD_isError(left))
			mk_die(mk, "zstd: %s", ZSTD_getErrorName(left));
		cp_buf_add(b, room, out.pos);
	} while (left != 0);
}

static void
emit_chunk(struct mk *mk, const char *p, size_t n)
{
	struct cp_buf b;
	size_t start;

	cp_buf_init(&b, MK_MAX_FILE);
	if (mk->comp_type == 83)
		mk_put(mk, &b, 8, 0);
	start = b.len;
	deflate_chunk(mk, p, n, &b);
	if (mk->comp_type == 83) {
		struct cp_buf size;

		cp_buf_init(&size, 8);
		mk_put(mk, &size, 8, b.len - start);
		memcpy(b.data, size.data, 8);
		cp_buf_free(&size);
		mk_align(&b, 0, 8);
	}
	mk_emit(mk, mk->comp_type, 0, &b);
	cp_buf_free(&b);
}

void
mk_compress_flush(struct mk *mk)
{
	mk->compressing = false;
	for (size_t at = 0; at < mk->plain.len; at += mk->chunk)
		emit_chunk(mk, mk->plain.data + at,
		    CP_MIN(mk->chunk, mk->plain.len - at));
	mk->plain.len = 0;
}

static void
begin(struct mk *mk)
{
	uint64_t level = mk_num(mk, "level", 3);

	if (mk->compressing)
		mk_die(mk, "already compressing");
	mk->chunk = mk_num(mk, "chunk", mk->chunk);
	mk->comp_type = mk_num(mk, "type", mk->comp_type);
	if (mk->chunk == 0)
		mk_die(mk, "chunk must not be 0");
	if (mk->zstd == NULL) {
		mk->zstd = ZSTD_createCCtx();
		ZSTD_CCtx_setParameter(
		    mk->zstd, ZSTD_c_compressionLevel, (int)level);
	}
	mk->compressing = true;
}

void
mk_compress(struct mk *mk)
{
	const char *w = mk_need(mk, "begin or end");

	if (strcmp(w, "begin") == 0)
		begin(mk);
	else if (strcmp(w, "end") == 0 && mk->compressing)
		mk_compress_flush(mk);
	else
		mk_die(mk, "compress %s", w);
}
