/* SPDX-License-Identifier: MIT */
#include "render/export/snapshot/page.h"

#include "render/export/common/proto.h"
#include "render/export/snapshot/zigzag.h"

enum { BLOCK = 128, PARTS = 4, PART = BLOCK / PARTS };

/* The number as the signed one of that width. */
static int64_t
as_signed(uint64_t v, unsigned bits)
{
	return bits == 32 ? (int32_t)(uint32_t)v : (int64_t)v;
}

static unsigned
width_of(const uint64_t *v, size_t n)
{
	uint64_t all = 0;

	for (size_t i = 0; i < n; i++)
		all |= v[i];
	return all == 0 ? 0 : 64 - (unsigned)__builtin_clzll(all);
}

/* Packs PART numbers, lowest bits first. */
static void
put_part(struct cp_buf *b, const uint64_t *v, unsigned width)
{
	uint8_t bytes[PART * 8] = { 0 };
	size_t at = 0;

	for (size_t i = 0; i < PART; i++)
		for (unsigned done = 0; done < width;) {
			unsigned free_bits = 8 - at % 8;
			unsigned n = CP_MIN(free_bits, width - done);
			uint64_t some = v[i] >> done & ((1u << n) - 1);

			bytes[at / 8] |= (uint8_t)(some << at % 8);
			at += n;
			done += n;
		}
	cp_buf_add(b, bytes, (size_t)width * PART / 8);
}

/* n steps, at most BLOCK; a part without steps takes no bytes. */
static void
put_block(struct cp_buf *b, uint64_t *step, size_t n, unsigned bits)
{
	uint64_t mask = bits == 32 ? UINT32_MAX : UINT64_MAX;
	int64_t least = as_signed(step[0], bits);
	uint8_t width[PARTS];

	for (size_t i = 1; i < n; i++)
		least = CP_MIN(least, as_signed(step[i], bits));
	for (size_t i = 0; i < BLOCK; i++)
		step[i] = i < n ? (step[i] - (uint64_t)least) & mask : 0;
	for (size_t i = 0; i < PARTS; i++)
		width[i] = (uint8_t)width_of(step + i * PART, PART);
	cp_proto_varint(b, cp_zigzag(least));
	cp_buf_add(b, width, sizeof(width));
	for (size_t i = 0; i < PARTS && i * PART < n; i++)
		put_part(b, step + i * PART, width[i]);
}

void
cp_delta_put(struct cp_buf *b, const uint64_t *numbers, size_t n, unsigned bits)
{
	uint64_t step[BLOCK];

	cp_proto_varint(b, BLOCK);
	cp_proto_varint(b, PARTS);
	cp_proto_varint(b, n);
	cp_proto_varint(b, cp_zigzag(n != 0 ? as_signed(numbers[0], bits) : 0));
	for (size_t at = 1; at < n; at += BLOCK) {
		size_t some = CP_MIN(n - at, (size_t)BLOCK);

		for (size_t i = 0; i < some; i++)
			step[i] = numbers[at + i] - numbers[at + i - 1];
		put_block(b, step, some, bits);
	}
}
