/* SPDX-License-Identifier: MIT */
#include "base/parquet/thrift.h"

uint64_t
cp_thrift_varint(struct cp_bytes *b)
{
	uint64_t v = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		uint8_t byte = cp_bytes_u8(b);

		v |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return v;
	}
	b->failed = true;
	return 0;
}

int64_t
cp_thrift_zigzag(struct cp_bytes *b)
{
	uint64_t v = cp_thrift_varint(b);

	return (int64_t)(v >> 1 ^ (0 - (v & 1)));
}

bool
cp_thrift_next(struct cp_bytes *b, struct cp_thrift_field *f)
{
	uint8_t head = cp_bytes_u8(b);
	int64_t id;

	f->type = head & 15;
	if (b->failed || f->type == 0)
		return false;
	id = head >> 4 != 0 ? f->id + (head >> 4) : cp_thrift_zigzag(b);
	b->failed |= id <= 0 || id > INT16_MAX;
	f->id = b->failed ? 0 : (int)id;
	return !b->failed;
}

int64_t
cp_thrift_number(struct cp_bytes *b, const struct cp_thrift_field *f)
{
	b->failed |= f->type != CP_THRIFT_IN_I32 && f->type != CP_THRIFT_IN_I64;
	return b->failed ? 0 : cp_thrift_zigzag(b);
}

const uint8_t *
cp_thrift_bytes(struct cp_bytes *b, const struct cp_thrift_field *f, size_t *n)
{
	b->failed |= f->type != CP_THRIFT_IN_BINARY;
	*n = b->failed ? 0 : cp_thrift_varint(b);
	return cp_bytes_take(b, *n);
}

/* An element takes a byte at least, so the input bounds their number. */
static size_t
read_list(struct cp_bytes *b, int *type)
{
	uint8_t head = cp_bytes_u8(b);
	uint64_t n = head >> 4 < 15 ? head >> 4 : cp_thrift_varint(b);

	*type = head & 15;
	b->failed |= n > cp_bytes_left(b);
	return b->failed ? 0 : (size_t)n;
}

size_t
cp_thrift_elements(
    struct cp_bytes *b, const struct cp_thrift_field *f, int type)
{
	int got;
	size_t n;

	b->failed |= f->type != CP_THRIFT_IN_LIST;
	n = read_list(b, &got);
	b->failed |= got != type && n != 0;
	return b->failed ? 0 : n;
}

bool
cp_thrift_enter(struct cp_bytes *b, const struct cp_thrift_field *f)
{
	b->failed |= f->type != CP_THRIFT_IN_STRUCT;
	return !b->failed;
}

void
cp_thrift_skip(struct cp_bytes *b, const struct cp_thrift_field *f)
{
	int type = f->type;
	size_t n = 1;

	if (type == CP_THRIFT_IN_LIST)
		n = read_list(b, &type);
	for (; n != 0 && !b->failed; n--) {
		if (type == CP_THRIFT_IN_I32 || type == CP_THRIFT_IN_I64)
			cp_thrift_varint(b);
		else if (type == CP_THRIFT_IN_BINARY)
			cp_bytes_take(b, cp_thrift_varint(b));
		else
			b->failed = true;
	}
}
