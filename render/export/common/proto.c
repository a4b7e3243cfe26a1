/* SPDX-License-Identifier: MIT */
#include "render/export/common/proto.h"

#include "render/common/escape.h"

enum { WIRE_VARINT = 0, WIRE_BYTES = 2 };

/* Returns the number of bytes, at most 10. */
static size_t
varint(uint8_t *to, uint64_t v)
{
	size_t n = 0;

	for (; v >= 0x80; v >>= 7)
		to[n++] = (uint8_t)(v | 0x80);
	to[n++] = (uint8_t)v;
	return n;
}

void
cp_proto_varint(struct cp_buf *b, uint64_t v)
{
	uint8_t bytes[10];

	cp_buf_add(b, bytes, varint(bytes, v));
}

static void
put_key(struct cp_buf *b, unsigned field, unsigned wire)
{
	cp_proto_varint(b, (uint64_t)field << 3 | wire);
}

void
cp_proto_always(struct cp_buf *b, unsigned field, uint64_t v)
{
	put_key(b, field, WIRE_VARINT);
	cp_proto_varint(b, v);
}

void
cp_proto_u64(struct cp_buf *b, unsigned field, uint64_t v)
{
	if (v != 0)
		cp_proto_always(b, field, v);
}

void
cp_proto_bytes(struct cp_buf *b, unsigned field, const void *p, size_t n)
{
	put_key(b, field, WIRE_BYTES);
	cp_proto_varint(b, n);
	cp_buf_add(b, p, n);
}

void
cp_proto_text(struct cp_buf *b, unsigned field, const char *s)
{
	struct cp_buf text;

	cp_buf_init(&text, SIZE_MAX / 2);
	cp_escape_terminal(&text, s);
	cp_proto_take(b, field, &text);
	cp_buf_free(&text);
}

void
cp_proto_take(struct cp_buf *b, unsigned field, struct cp_buf *message)
{
	cp_proto_bytes(b, field, cp_buf_text(message), message->len);
	cp_buf_reset(message);
}

void
cp_proto_out(struct cp_out *out, unsigned field, struct cp_buf *message)
{
	uint8_t head[20];
	size_t n = varint(head, (uint64_t)field << 3 | WIRE_BYTES);

	n += varint(head + n, message->len);
	cp_out_add(out, head, n);
	cp_out_add(out, cp_buf_text(message), message->len);
	cp_buf_reset(message);
}
