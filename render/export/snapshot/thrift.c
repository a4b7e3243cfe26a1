/* SPDX-License-Identifier: MIT */
#include "render/export/snapshot/thrift.h"

#include "render/export/common/proto.h"
#include "render/export/snapshot/zigzag.h"

static void
put_field(struct cp_thrift *t, int id, enum cp_thrift_type type)
{
	int step = id - t->last[t->depth];

	t->last[t->depth] = id;
	cp_buf_char(t->to, (char)(step << 4 | type));
}

void
cp_thrift_item_i32(struct cp_thrift *t, int64_t v)
{
	cp_proto_varint(t->to, cp_zigzag(v));
}

void
cp_thrift_i32(struct cp_thrift *t, int id, int64_t v)
{
	put_field(t, id, CP_THRIFT_I32);
	cp_thrift_item_i32(t, v);
}

void
cp_thrift_i64(struct cp_thrift *t, int id, int64_t v)
{
	put_field(t, id, CP_THRIFT_I64);
	cp_proto_varint(t->to, cp_zigzag(v));
}

void
cp_thrift_item_text(struct cp_thrift *t, const char *s)
{
	size_t n = strlen(s);

	cp_proto_varint(t->to, n);
	cp_buf_add(t->to, s, n);
}

void
cp_thrift_text(struct cp_thrift *t, int id, const char *s)
{
	put_field(t, id, CP_THRIFT_BINARY);
	cp_thrift_item_text(t, s);
}

void
cp_thrift_item_begin(struct cp_thrift *t)
{
	t->last[++t->depth] = 0;
}

void
cp_thrift_begin(struct cp_thrift *t, int id)
{
	put_field(t, id, CP_THRIFT_STRUCT);
	cp_thrift_item_begin(t);
}

void
cp_thrift_end(struct cp_thrift *t)
{
	cp_buf_char(t->to, 0);
	t->depth--;
}

void
cp_thrift_list(struct cp_thrift *t, int id, enum cp_thrift_type type, size_t n)
{
	put_field(t, id, CP_THRIFT_LIST);
	if (n < 15) {
		cp_buf_char(t->to, (char)(n << 4 | type));
		return;
	}
	cp_buf_char(t->to, (char)(0xf0 | type));
	cp_proto_varint(t->to, n);
}
