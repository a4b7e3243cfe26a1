/* SPDX-License-Identifier: MIT */
#include "base/archive/inflate.h"

#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include "base/archive/bzip2.h"

#define CHUNK ((size_t)256 << 10)

/* A dictionary of 1 GiB, for which libarchive has the same limit. */
#define XZ_MEMORY ((uint64_t)1 << 30)

struct codec {
	const char *name, *magic;
	size_t magic_len;
	/* It asks for input itself: until then it needs what it has. */
	bool asks;
	bool (*begin)(struct cp_inflate *);
	/* Inflates some of what is in `in' to what is left of buf. */
	void (*step)(struct cp_inflate *);
	void (*end)(struct cp_inflate *);
};

struct cp_inflate {
	const struct codec *codec;
	z_stream z;
	lzma_stream xz;
	ZSTD_DCtx *zstd;
	struct cp_bzip2 *bzip2;
	cp_inflate_more more;
	void *ctx;
	const uint8_t *in;
	size_t in_len;
	uint8_t *buf;
	size_t out_len;
	bool no_more; /* the input has ended */
	bool between; /* a member has ended, no other has begun */
	bool ended, failed;
	char why[80];
};

static void
fail(struct cp_inflate *g, const char *why)
{
	g->failed = true;
	snprintf(g->why, sizeof(g->why), "%s", why);
}

/* Asks for input if there is none. */
static void
fill(struct cp_inflate *g)
{
	ssize_t n;

	if (g->in_len != 0 || g->no_more)
		return;
	n = g->more(g->ctx, &g->in);
	g->failed = n < 0;
	g->no_more = n == 0;
	g->in_len = n > 0 ? (size_t)n : 0;
}

/* ------------------------------------------------------------------- gzip */

static bool
gzip_begin(struct cp_inflate *g)
{
	/* 16: gzip's header and trailer */
	return inflateInit2(&g->z, 16 + MAX_WBITS) == Z_OK;
}

/*
 * Begins another member after one has ended.  Zeros after it are ignored, as in
 * gzip.
 */
static void
gzip_next(struct cp_inflate *g)
{
	while (g->in_len != 0 && g->in[0] == 0) {
		g->in++;
		g->in_len--;
	}
	if (g->in_len == 0)
		return;
	g->between = false;
	if (g->in[0] != 0x1f)
		fail(g, "bytes after the end that are no gzip");
	else if (inflateReset(&g->z) != Z_OK)
		fail(g, "damaged gzip input");
}

static void
gzip_step(struct cp_inflate *g)
{
	int r;

	if (g->between)
		gzip_next(g);
	if (g->between || g->failed)
		return;
	g->z.next_in = (z_const Bytef *)g->in;
	g->z.avail_in = (uInt)g->in_len;
	g->z.next_out = g->buf + g->out_len;
	g->z.avail_out = (uInt)(CHUNK - g->out_len);
	r = inflate(&g->z, Z_NO_FLUSH);
	g->in = g->z.next_in;
	g->in_len = g->z.avail_in;
	g->out_len = CHUNK - g->z.avail_out;
	g->between = r == Z_STREAM_END;
	if (r != Z_STREAM_END && r != Z_OK && r != Z_BUF_ERROR)
		fail(g, g->z.msg != NULL ? g->z.msg : "damaged gzip input");
}

static void
gzip_end(struct cp_inflate *g)
{
	inflateEnd(&g->z);
}

/* --------------------------------------------------------------------- xz */

static bool
xz_begin(struct cp_inflate *g)
{
	g->xz = (lzma_stream)LZMA_STREAM_INIT;
	return lzma_stream_decoder(&g->xz, XZ_MEMORY, LZMA_CONCATENATED) ==
	       LZMA_OK;
}

static void
xz_step(struct cp_inflate *g)
{
	lzma_ret r;

	g->xz.next_in = g->in;
	g->xz.avail_in = g->in_len;
	g->xz.next_out = g->buf + g->out_len;
	g->xz.avail_out = CHUNK - g->out_len;
	r = lzma_code(&g->xz, g->no_more ? LZMA_FINISH : LZMA_RUN);
	g->in = g->xz.next_in;
	g->in_len = g->xz.avail_in;
	g->out_len = CHUNK - g->xz.avail_out;
	g->ended = r == LZMA_STREAM_END;
	if (r == LZMA_MEMLIMIT_ERROR || r == LZMA_MEM_ERROR)
		fail(g, "this xz input needs too much memory");
	else if (!g->ended && r != LZMA_OK && r != LZMA_BUF_ERROR)
		fail(g, "damaged xz input");
}

static void
xz_end(struct cp_inflate *g)
{
	lzma_end(&g->xz);
}

/* ------------------------------------------------------------------- zstd */

static bool
zstd_begin(struct cp_inflate *g)
{
	g->zstd = ZSTD_createDCtx();
	return g->zstd != NULL;
}

static void
zstd_step(struct cp_inflate *g)
{
	ZSTD_inBuffer in = { g->in, g->in_len, 0 };
	ZSTD_outBuffer out = { g->buf, CHUNK, g->out_len };
	size_t r;

	/* It would begin a frame of nothing. */
	if (g->between && g->in_len == 0)
		return;
	r = ZSTD_decompressStream(g->zstd, &out, &in);
	g->in += in.pos;
	g->in_len -= in.pos;
	g->out_len = out.pos;
	g->between = r == 0;
	if (ZSTD_isError(r))
		fail(g, ZSTD_getErrorName(r));
}

static void
zstd_end(struct cp_inflate *g)
{
	ZSTD_freeDCtx(g->zstd);
}

/* ------------------------------------------------------------------ bzip2 */

/* libarchive takes all that there is. */
static ssize_t
bzip2_more(void *ctx, const uint8_t **out)
{
	struct cp_inflate *g = ctx;
	size_t n;

	fill(g);
	n = g->in_len;
	*out = g->in;
	g->in_len = 0;
	return g->failed ? -1 : (ssize_t)n;
}

static bool
bzip2_begin(struct cp_inflate *g)
{
	g->bzip2 = cp_bzip2_new(bzip2_more, g);
	return g->bzip2 != NULL;
}

static void
bzip2_step(struct cp_inflate *g)
{
	ssize_t n = cp_bzip2_read(g->bzip2, g->buf, CHUNK);

	g->failed |= n < 0;
	g->ended = n == 0;
	if (n < 0 && cp_bzip2_why(g->bzip2) != NULL)
		fail(g, cp_bzip2_why(g->bzip2));
	g->out_len = n > 0 ? (size_t)n : 0;
}

static void
bzip2_end(struct cp_inflate *g)
{
	cp_bzip2_free(g->bzip2);
}

/* ------------------------------------------------------------------- all */

static const struct codec codecs[] = {
	{ "gzip", "\x1f\x8b", 2, false, gzip_begin, gzip_step, gzip_end },
	{ "xz", "\xfd\x37zXZ", 6, false, xz_begin, xz_step, xz_end },
	{ "zstd", "\x28\xb5\x2f\xfd", 4, false, zstd_begin, zstd_step,
	    zstd_end },
	{ "bzip2", "BZh", 3, true, bzip2_begin, bzip2_step, bzip2_end },
};

struct cp_inflate *
cp_inflate_new(const uint8_t *head, size_t n, cp_inflate_more more, void *ctx)
{
	const struct codec *c = NULL;
	struct cp_inflate *g;

	for (size_t i = 0; i < CP_ARRAY_LEN(codecs) && c == NULL; i++)
		if (n >= codecs[i].magic_len &&
		    memcmp(head, codecs[i].magic, codecs[i].magic_len) == 0)
			c = &codecs[i];
	if (c == NULL)
		return NULL;
	g = cp_xcalloc(1, sizeof(*g));
	g->codec = c;
	g->more = more;
	g->ctx = ctx;
	g->buf = cp_xmalloc(CHUNK);
	if (!c->begin(g))
		fail(g, "no memory to inflate");
	return g;
}

void
cp_inflate_free(struct cp_inflate *g)
{
	if (g == NULL)
		return;
	g->codec->end(g);
	free(g->buf);
	free(g);
}

/* After the last input byte there may be some to put out. */
static void
step(struct cp_inflate *g)
{
	char why[sizeof(g->why)];

	if (!g->codec->asks)
		fill(g);
	if (!g->failed)
		g->codec->step(g);
	if (!g->no_more || g->out_len != 0 || g->failed || g->ended)
		return;
	g->ended = g->between;
	snprintf(why, sizeof(why), "truncated %s input", g->codec->name);
	if (!g->ended)
		fail(g, why);
}

ssize_t
cp_inflate_read(struct cp_inflate *g, const void **out)
{
	*out = g->buf;
	g->out_len = 0;
	while (g->out_len == 0 && !g->ended && !g->failed)
		step(g);
	if (g->out_len == 0 && g->failed)
		return -1;
	return (ssize_t)g->out_len;
}

const char *
cp_inflate_why(const struct cp_inflate *g)
{
	return g->why[0] != '\0' ? g->why : NULL;
}
