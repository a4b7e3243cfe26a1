/* SPDX-License-Identifier: MIT */
/*
 * fuzz-inflate: a stream of gzip, xz or zstd, given in pieces whose size a byte
 * of it says.
 *
 * How it is cut changes neither what comes out nor the verdict.
 */
#include "base/archive/inflate.h"
#include "tests/fuzz/fuzz.h"

enum { INFLATED = 4 << 20 };

struct input {
	const uint8_t *at;
	size_t left, piece;
};

struct result {
	uint64_t hash, size;
	bool whole;
};

static ssize_t
more(void *ctx, const uint8_t **out)
{
	struct input *in = ctx;
	size_t n = CP_MIN(in->left, in->piece);

	*out = in->at;
	in->at += n;
	in->left -= n;
	return (ssize_t)n;
}

static struct result
inflate_all(const uint8_t *data, size_t size, size_t piece)
{
	struct input in = { data, size, piece };
	struct cp_inflate *g = cp_inflate_new(data, size, more, &in);
	struct result r = { 0 };
	const void *p;
	ssize_t n;

	if (g == NULL)
		return r;
	while ((n = cp_inflate_read(g, &p)) > 0 && r.size < INFLATED) {
		for (ssize_t i = 0; i < n; i++)
			r.hash = r.hash * 31 + ((const uint8_t *)p)[i];
		r.size += (uint64_t)n;
	}
	r.whole = n == 0;
	if (n < 0 && cp_inflate_why(g) == NULL)
		abort();
	cp_inflate_free(g);
	return r;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct result a, b;

	if (size < 2)
		return 0;
	a = inflate_all(data, size, size);
	b = inflate_all(data, size, 1 + (size_t)data[size / 2]);
	if (a.size >= INFLATED || b.size >= INFLATED)
		return 0;
	if (a.whole != b.whole ||
	    (a.whole && (a.hash != b.hash || a.size != b.size)))
		abort();
	return 0;
}
