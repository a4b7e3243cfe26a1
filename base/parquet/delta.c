/* SPDX-License-Identifier: MIT */
#include "base/parquet/delta.h"

#include "base/parquet/thrift.h"

enum { BLOCK = 128, PARTS = 4, PART = BLOCK / PARTS };

static int64_t
as_signed(uint64_t v, unsigned bits)
{
	return bits == 32 ? (int32_t)(uint32_t)v : (int64_t)v;
}

/* Reads a number of `width' bits at bit `at', lowest bits first. */
static uint64_t
unpack(const uint8_t *bytes, size_t at, unsigned width)
{
	uint64_t v = 0;

	for (unsigned done = 0; done < width;) {
		unsigned in = at % 8, n = CP_MIN(8 - in, width - done);
		uint64_t some = bytes[at / 8] >> in & ((1u << n) - 1);

		v |= some << done;
		at += n;
		done += n;
	}
	return v;
}

struct steps {
	int64_t *out;
	size_t at, n;
	unsigned bits;
};

static void
read_part(struct cp_bytes *b, struct steps *s, uint64_t least, unsigned width)
{
	const uint8_t *bytes = cp_bytes_take(b, (size_t)width * PART / 8);

	for (size_t i = 0; bytes != NULL && i < PART && s->at < s->n; i++) {
		uint64_t step = least + unpack(bytes, i * width, width);

		s->out[s->at] =
		    as_signed((uint64_t)s->out[s->at - 1] + step, s->bits);
		s->at++;
	}
}

static void
read_block(struct cp_bytes *b, struct steps *s)
{
	uint64_t least = (uint64_t)cp_thrift_zigzag(b);
	const uint8_t *width = cp_bytes_take(b, PARTS);

	for (size_t i = 0; width != NULL && i < PARTS && s->at < s->n; i++) {
		b->failed |= width[i] > s->bits;
		if (b->failed)
			return;
		read_part(b, s, least, width[i]);
	}
}

void
cp_delta_read(struct cp_bytes *b, int64_t *out, size_t n, unsigned bits)
{
	struct steps s = { .out = out, .at = 1, .n = n, .bits = bits };
	bool same = cp_thrift_varint(b) == BLOCK;
	int64_t first;

	same &= cp_thrift_varint(b) == PARTS;
	same &= cp_thrift_varint(b) == n;
	first = cp_thrift_zigzag(b);
	b->failed |= !same;
	if (n != 0)
		out[0] = as_signed((uint64_t)first, bits);
	while (s.at < n && !b->failed)
		read_block(b, &s);
}
