/* SPDX-License-Identifier: MIT */
/*
 * unpacked: finds compressed and encoded parts by their first bytes, wherever
 * they lie.
 */
#include "base/redact/unpacked.h"

#include <zlib.h>
#include <zstd.h>

#include "base/buf.h"
#include "base/limits.h"

enum {
	MIN_BASE64 = 24, /* shorter runs are words */
	MAX_DEPTH = 5,
	CHUNK = 1 << 18
};

static void
add(cp_contents *to, struct cp_buf *b, unsigned depth, bool encoded)
{
	if (b->len < 4) {
		cp_buf_free(b);
		return;
	}
	*cp_vec_push(to) =
	    (struct cp_content){ (uint8_t *)b->data, b->len, depth, encoded };
}

/* ------------------------------------------------------------------- zstd */

/* Inflates the zstd frame at p; returns its size, 0: there is no frame. */
static size_t
unzstd(cp_contents *to, const uint8_t *p, size_t n, unsigned depth, bool *full)
{
	size_t size = ZSTD_findFrameCompressedSize(p, n), left = 1;
	ZSTD_inBuffer in = { p, size, 0 };
	uint8_t *chunk;
	ZSTD_DCtx *ctx;
	struct cp_buf b;

	if (ZSTD_isError(size))
		return 0;
	ctx = ZSTD_createDCtx();
	chunk = cp_xmalloc(CHUNK);
	cp_buf_init(&b, CP_MAX_SCANNED);
	while (ctx != NULL && left != 0 && !b.full) {
		ZSTD_outBuffer out = { chunk, CHUNK, 0 };

		left = ZSTD_decompressStream(ctx, &out, &in);
		if (ZSTD_isError(left) || (in.pos == size && out.pos == 0))
			break;
		cp_buf_add(&b, chunk, out.pos);
	}
	ZSTD_freeDCtx(ctx);
	free(chunk);
	*full |= b.full;
	add(to, &b, depth, false);
	return size;
}

/* ---------------------------------------------------------------- deflate */

/* bits: as of inflateInit2().  Returns the bytes that were read; 0: none. */
static size_t
inflate_at(cp_contents *to, const uint8_t *p, size_t n, int bits,
    unsigned depth, bool *full)
{
	z_stream z = { .next_in = (z_const Bytef *)(uintptr_t)p,
		.avail_in = (uInt)CP_MIN(n, (size_t)UINT32_MAX) };
	uint8_t *chunk;
	struct cp_buf b;
	int status = Z_OK;
	size_t used;

	if (inflateInit2(&z, bits) != Z_OK)
		return 0;
	chunk = cp_xmalloc(CHUNK);
	cp_buf_init(&b, CP_MAX_SCANNED);
	while (status == Z_OK && !b.full) {
		z.next_out = chunk;
		z.avail_out = CHUNK;
		status = inflate(&z, Z_NO_FLUSH);
		cp_buf_add(&b, chunk, CHUNK - z.avail_out);
	}
	used = status == Z_STREAM_END ? n - z.avail_in : 0;
	inflateEnd(&z);
	free(chunk);
	*full |= b.full;
	if (used == 0)
		cp_buf_free(&b);
	else
		add(to, &b, depth, false);
	return used;
}

/* ----------------------------------------------------------------- base64 */

/* -1: no digit.  Both alphabets are read. */
static int
digit(uint8_t c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	if (c == '+' || c == '-')
		return 62;
	return c == '/' || c == '_' ? 63 : -1;
}

static void
decode(cp_contents *to, const uint8_t *p, size_t n, unsigned depth)
{
	struct cp_buf b;
	uint32_t bits = 0;

	cp_buf_init(&b, CP_MAX_SCANNED);
	for (size_t i = 0; i < n; i++) {
		bits = bits << 6 | (uint32_t)digit(p[i]);
		if (i % 4 == 3) {
			cp_buf_char(&b, (char)(bits >> 16));
			cp_buf_char(&b, (char)(bits >> 8));
			cp_buf_char(&b, (char)bits);
		}
	}
	if (n % 4 >= 2)
		cp_buf_char(&b, (char)(bits >> (n % 4 == 2 ? 4 : 10)));
	if (n % 4 == 3)
		cp_buf_char(&b, (char)(bits >> 2));
	add(to, &b, depth, true);
}

static size_t
run_of_base64(const uint8_t *p, size_t n)
{
	size_t i = 0;

	while (i < n && digit(p[i]) >= 0)
		i++;
	return i;
}

/* ------------------------------------------------------------------- both */

static size_t
packed_at(
    cp_contents *to, const uint8_t *p, size_t n, unsigned depth, bool *full)
{
	if (n < 4)
		return 0;
	if (p[0] == 0x28 && p[1] == 0xb5 && p[2] == 0x2f && p[3] == 0xfd)
		return unzstd(to, p, n, depth, full);
	if (p[0] == 0x1f && p[1] == 0x8b && p[2] == 8)
		return inflate_at(to, p, n, 15 + 16, depth, full);
	if (p[0] == 0x78 && (p[1] == 1 || p[1] == 0x9c || p[1] == 0xda))
		return inflate_at(to, p, n, 15, depth, full);
	return 0;
}

static void
squeeze(cp_contents *to, const struct cp_content *c)
{
	struct cp_buf b;

	if (memchr(c->data, '\0', c->n) == NULL)
		return;
	cp_buf_init(&b, c->n + 1);
	for (size_t i = 0; i < c->n; i++)
		if (c->data[i] != 0)
			cp_buf_char(&b, (char)c->data[i]);
	add(to, &b, MAX_DEPTH, false);
}

bool
cp_unpack_all(cp_contents *to, const struct cp_content *c)
{
	unsigned depth = c->depth + 1;
	bool full = false;

	if (c->depth >= MAX_DEPTH)
		return true;
	squeeze(to, c);
	if (c->encoded)
		inflate_at(to, c->data, c->n, -15, depth, &full);
	for (size_t i = 0; i < c->n;) {
		size_t n = packed_at(to, c->data + i, c->n - i, depth, &full);

		if (n == 0) {
			n = run_of_base64(c->data + i, c->n - i);
			if (n >= MIN_BASE64)
				decode(to, c->data + i, n, depth);
		}
		i += CP_MAX(n, (size_t)1);
	}
	return !full;
}
