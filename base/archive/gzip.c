/* SPDX-License-Identifier: MIT */
#include "base/archive/gzip.h"

#include <zlib.h>

#define CHUNK ((size_t)256 << 10)

struct cp_gzip {
	z_stream z;
	cp_gzip_more more;
	void *ctx;
	uint8_t *buf;
	bool between; /* a member has ended, no other has begun */
	bool ended, failed;
	const char *why;
};

bool
cp_gzip_bid(const uint8_t *h, size_t n)
{
	return n >= 2 && h[0] == 0x1f && h[1] == 0x8b;
}

struct cp_gzip *
cp_gzip_new(cp_gzip_more more, void *ctx)
{
	struct cp_gzip *g = cp_xcalloc(1, sizeof(*g));

	g->more = more;
	g->ctx = ctx;
	g->buf = cp_xmalloc(CHUNK);
	/* 16: gzip's header and trailer */
	if (inflateInit2(&g->z, 16 + MAX_WBITS) != Z_OK) {
		g->failed = true;
		g->why = "zlib has no memory";
	}
	return g;
}

void
cp_gzip_free(struct cp_gzip *g)
{
	if (g == NULL)
		return;
	inflateEnd(&g->z);
	free(g->buf);
	free(g);
}

static void
fail(struct cp_gzip *g, const char *why)
{
	g->failed = true;
	g->why = why;
}

/* Asks for input if there is none.  False: there is no more, or it failed. */
static bool
fill(struct cp_gzip *g)
{
	const uint8_t *p;
	ssize_t n;

	if (g->z.avail_in != 0)
		return true;
	n = g->more(g->ctx, &p);
	g->failed = n < 0;
	if (n <= 0)
		return false;
	g->z.next_in = (z_const Bytef *)p;
	g->z.avail_in = (uInt)n;
	return true;
}

/*
 * Begins another member after one has ended.  Zeros and other bytes after it
 * are ignored, as in gzip.
 */
static bool
begin_member(struct cp_gzip *g)
{
	if (!fill(g) || g->z.next_in[0] != 0x1f) {
		g->ended = !g->failed;
		return false;
	}
	g->between = false;
	return inflateReset(&g->z) == Z_OK;
}

static void
inflate_some(struct cp_gzip *g)
{
	int r;

	if (!fill(g)) {
		if (!g->failed)
			fail(g, "truncated gzip input");
		return;
	}
	r = inflate(&g->z, Z_NO_FLUSH);
	if (r == Z_STREAM_END)
		g->between = true;
	else if (r != Z_OK && r != Z_BUF_ERROR)
		fail(g, g->z.msg != NULL ? g->z.msg : "damaged gzip input");
}

ssize_t
cp_gzip_read(struct cp_gzip *g, const void **out)
{
	*out = g->buf;
	g->z.next_out = g->buf;
	g->z.avail_out = (uInt)CHUNK;
	while (g->z.avail_out == CHUNK && !g->ended && !g->failed)
		if (!g->between || begin_member(g))
			inflate_some(g);
	if (g->z.avail_out == CHUNK && g->failed)
		return -1;
	return (ssize_t)(CHUNK - g->z.avail_out);
}

const char *
cp_gzip_why(const struct cp_gzip *g)
{
	return g->why;
}
